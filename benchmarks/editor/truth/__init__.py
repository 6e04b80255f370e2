"""Hints and hovers in public model files against what their names hold when the files run."""
