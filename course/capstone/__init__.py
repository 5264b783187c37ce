"""The capstone: a design that is judged by the probe card."""
