"""Importers of graphs that are not source: files of ONNX, GraphDef and torch.export, read as data into the IR.

A file that is named and has the suffix of a graph format (``lower/graphs/formats.py``) is read as data, never
executed or unpickled, and becomes a ``Program`` like any other; no framework is imported.

    file ─► Graph: nodes, inputs, weights ─► Listing + Program ─► rules ─► findings, given in terms of nodes
            one importer per format           lower/graphs/builder     engine/graphs.py

- ``model.py`` has the data types of all formats: ``Node``, ``Weight``, ``Graph``, ``Frame`` (a source place that the
  file names). An importer is a module with ``import_graph(path) -> Imported`` that makes a ``Graph`` and calls
  ``builder.build(path, graph, translate)``. ``translate(call)`` gives the results of one node: by a row of the
  format's table (``rows.py``: operator → canonical operation, operands, attributes) or by a function for what a row
  cannot say. What is not translated becomes ``unmodelled`` with unknown results and a gap.
- ``listing.py`` writes a graph out as Python, one line per input, weight and node. It is the document that places
  belong to, so that rules quote and place nodes as they do calls; a line is parsed when it is asked for.
  ``Location.node`` is the node's own name; ``Location.listed`` says that the line is one of the listing, because the
  file is no text. A text format states ``Node.line``, and its findings lie there.
- Elements of small tensors of whole numbers are followed (``Builder.elements``), because shapes are computed in the
  graph. A weight of a deployed graph is a constant: its range is that of its elements.
"""
