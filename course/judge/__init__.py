"""How an answer is found and judged, and whether a set can be trusted with marks."""
