"""Operations of NumPy that no chapter and no model uses (chapter 10)."""
