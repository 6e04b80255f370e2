"""Random torch programs whose concrete results must lie in the inferred ranges: ``python -m benchmarks.numeric.soundness``."""
