"""What products share about notebooks: cells, exercises, the order of chapters."""
