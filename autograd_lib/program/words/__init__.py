"""What a reader of a program is told: names, and where calls come from (chapter 24)."""
