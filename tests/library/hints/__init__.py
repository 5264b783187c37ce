"""What a hint writes, and what PyTorch writes: run side by side."""
