"""Protocols of Keras objects: layers, models, training, wrappers, data. Importing :mod:`all` registers every handler."""
