"""What people write down about values, in docstrings, comments and the configuration: shapes of inputs, ranges of numbers."""
