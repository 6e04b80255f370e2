"""Probes: what watches a framework while the user's program runs. Only these modules import frameworks."""
