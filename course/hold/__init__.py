"""Where an answer runs: its process, what that gives up, and what may leave it."""
