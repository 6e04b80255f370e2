"""Slips put into model code of public repositories: which of them are found, and whether their repairs are offered."""
