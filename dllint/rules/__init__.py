"""The rules: one file per catalogue entry, one folder per family."""
