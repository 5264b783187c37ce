"""What is asked: notebooks with exercises, read, handed out, and kept from leaking."""
