"""What Sphinx loads: the extension of the book, its template and its static files."""
