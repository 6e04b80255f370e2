"""What torch names mean: names and aliases, function, method and layer rows, and the protocols of modules, tensors and data."""
