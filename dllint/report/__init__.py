"""Output formats, one per file."""
