"""What makes a recorded graph shorter; each may be left out (chapter 24)."""
