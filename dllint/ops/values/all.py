"""Importing this module declares the elements of all operations' results."""

from dllint.ops.values import arithmetic, arrangement, creation, functions, reductions

__all__ = ["arithmetic", "arrangement", "creation", "functions", "reductions"]
