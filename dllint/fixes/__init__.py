"""Builders of edits: what a rule changes in the source, with parentheses, commas and comments in order."""
