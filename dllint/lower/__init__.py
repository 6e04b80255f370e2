"""Abstract execution of Python over libcst nodes: source text to traced programs."""
