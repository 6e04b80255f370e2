"""ONNX models, read with the package ``onnx``.

``flattening.py`` makes one list of nodes of functions, branches and loops. ``weights.py`` reads the range of the elements of
weights, external data piece by piece. ``tables.py`` has a row for each operator that only renames an operation; ``operators/``
has a function for each of the others, which gets the version of the operator set.
"""
