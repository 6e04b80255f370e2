"""Metric bisection: which operator of a deployed model costs the user's own metric."""
