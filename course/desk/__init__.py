"""What comes in and goes out: files read, a class graded, tables and pages written."""
