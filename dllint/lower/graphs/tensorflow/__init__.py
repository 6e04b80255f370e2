"""TensorFlow's graph files, read as data and imported into the IR: neither TensorFlow nor anything of the graph is executed.

**TensorFlow** (``graphs/tensorflow/``): ``.pb`` and ``.pbtxt`` files of graphs, frozen graphs and SavedModels. The
messages are built at run time from a table of fields (``schema.py``) in a pool of their own, so that only the package
``protobuf`` is needed. Functions are written out where they are called (``flattening.py``); of what a loop replaces
nothing is known but its element type; both arms of a branch are followed. Nodes of gradients are left out, because
they repeat the dangers of what they are the gradient of. Constants become weights, what is fed becomes inputs,
variables are trained.
"""
