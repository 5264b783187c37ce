"""Forward mode: tensors that carry a tangent, and JVPs of rules (chapter 19)."""
