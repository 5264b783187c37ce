"""Other systems that grade: Gradescope and nbgrader."""
