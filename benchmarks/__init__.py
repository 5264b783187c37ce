"""Measurements of the library beside the systems that it rebuilds."""
