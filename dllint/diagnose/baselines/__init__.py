"""Simple baseline models, with which the program's own model is compared; needs NumPy only."""
