"""What canonical operations do to the ranges of their operands' elements; one file per family, as of their shapes."""
