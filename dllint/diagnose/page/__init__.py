"""The report of a run as one HTML file: what was found, with its source, its courses and its repairs."""
