"""TensorFlow's graph files, read as data and imported into the IR: neither TensorFlow nor anything of the graph is executed.

The formats are ``.pb`` and ``.pbtxt`` files of graphs, frozen graphs and SavedModels. Messages are built at run time from a
table of fields (``schema.py``) in a pool of their own, so only the package ``protobuf`` is needed. Functions are inlined at
their calls (``flattening.py``); of the values that a loop replaces only the element type is known; both arms of a branch are
followed. Gradient nodes are left out, because they repeat the dangers of the forward nodes. Constants become weights, fed
values become inputs, variables are trained.
"""
