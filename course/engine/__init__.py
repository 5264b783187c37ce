"""The engine that each student writes, judged by the book's accidents."""
