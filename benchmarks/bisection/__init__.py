"""Metric bisection on injected faults: exact culprits, benign twins, evaluations, power."""
