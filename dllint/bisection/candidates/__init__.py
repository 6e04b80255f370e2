"""Adapters that run a deployed model and show its intermediate values; only these files import a runtime.

``candidates/``: one adapter, one file, a row in ``table.py`` (by class, name of a variant, suffix of a file). ONNX
Runtime is watched in the graph that its own optimisers have left; ``torch.compile`` by compiling more outputs;
TorchScript by registering more outputs; programs, other modules, Keras models and 16-bit variants are graphs like the
reference (``GraphCandidate``); TFLite keeps all tensors; SavedModels and objects of the user's own show what they
say; a folder of dumped tensors is looked up by position (``by_position``). A ``batch`` that an export has fixed is
served in pieces (``batches.py``, ``batching.py``).
"""
