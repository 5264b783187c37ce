"""What is done to the pages after Sphinx has written them: see `finish`."""
