"""Measurements of dllint: one command each, results in ``benchmarks/results``."""
