"""Side-by-side measures of the library and of the systems that it rebuilds."""
