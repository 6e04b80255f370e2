"""Protocols of torch objects: modules, containers, tensors, optimizers, data. Each file registers its handlers."""
