"""Rows of Keras functions: ``keras.ops``, ``keras.backend``, ``keras.activations``."""
