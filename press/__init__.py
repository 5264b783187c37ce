"""The book as a site, as a PDF and as an EPUB; `README.md` has its map."""
