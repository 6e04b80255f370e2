"""Rows of Keras layers, one file per family."""
