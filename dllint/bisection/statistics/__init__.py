"""Paired statistics over samples: tests, intervals, the smallest drop that could be seen."""
