"""CPU time and memory of dllint as multiples of parsing."""
