"""The result of a bisection for machines, terminals and browsers."""
