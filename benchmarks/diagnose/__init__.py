"""Diagnosis measured on programs of our own: faulty ones with labels, and healthy ones."""
