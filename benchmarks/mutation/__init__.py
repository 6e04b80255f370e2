"""Mutation testing: which small faults, seeded into the analysis, the tests notice."""
