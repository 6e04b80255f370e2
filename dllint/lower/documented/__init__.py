"""Shapes and ranges that users state in docstrings, comments and the configuration."""
