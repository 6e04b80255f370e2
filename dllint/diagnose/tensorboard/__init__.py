"""Scalars of a run for TensorBoard, written without any of its packages."""
