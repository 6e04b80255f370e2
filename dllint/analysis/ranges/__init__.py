"""The evaluator of ranges: which numbers the tensors of a program hold, computed backwards from whoever asks.

What an operation does to ranges is declared in :mod:`dllint.ops.ranges`; here the declarations are applied to a program.

- ``evaluator.py`` holds ``Ranges``: the parts of a tensor, from those of its producer's operands, with what was found kept.
  Loops are widened and narrowed here; what users state and what conditions imply is met with the result.
- ``alignment.py``: from which part of an operand a part of the result comes. Operations by element are computed cell by cell
  on the cuts of all operands together, operations along an axis row by row, products of matrices by row and column;
  everything else joins the parts of its operands into one interval. Equal neighbours are merged, and a grid of more cells
  than the precision allows becomes one.
- ``conditions.py``: the conditions on the way to an operation that restrict an operand.
- ``writes.py``: the assignments to elements that an operation comes to see, through views and in loops.
- ``constants.py``: functions of written numbers alone, computed element by element.
- ``witness.py``: concrete numbers by which evaluation shows that a danger comes about.
- ``uses.py``: questions that rules share about where a range comes from and what becomes of a result.

``evaluator.py`` imports the others but ``witness.py`` and ``uses.py``, which ask through :class:`dllint.analysis.facts.Facts`.
Nothing here is computed for a program without an operation that can go wrong.
"""
