"""The book on paper and in e-readers, made of the finished pages."""
