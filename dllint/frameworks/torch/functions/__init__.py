"""Rows of torch functions and tensor methods, by subject."""
