"""Diagnosis of a training run: what is wrong, on which line, and which fix works."""
