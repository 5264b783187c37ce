"""The book for paper and e-readers, made from the finished pages."""
