"""Simple models that a program's own model is compared with; needs nothing but NumPy."""
