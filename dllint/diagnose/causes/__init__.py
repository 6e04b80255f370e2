"""Causes: hypotheses about what makes a symptom, one file each, with the edits that would repair it."""
