"""Numerical rules: false alarms, ablation, soundness, time."""
