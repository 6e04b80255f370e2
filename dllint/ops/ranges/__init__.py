"""Transfer functions for value ranges: what canonical operations do to the ranges of their operands' elements; one file per
family, as for shapes. Here are declarations; :mod:`dllint.analysis.ranges` evaluates programs with them.

For rules about numbers (DLN101 to DLN104, DLN107, DLT116, DLD116). A tensor is a grid of disjoint parts
(``domains/partition.py``), with one interval for the elements of each; most tensors are one part. Each bound of an
interval holds for certain and has an *origin*, which says why it is reached: *derived* by operations and literals,
*stated* by the user, *trained* (weights and outputs of layers may become anything), *input* (data may be anything),
or *unknown*. A danger is reported only if the bounds it rests on are of another origin than unknown; a bound of
unknown origin still proves that a danger is absent.

- ``domains/floating.py`` knows the formats. Arithmetic (``domains/interval_arithmetic.py``) is rounded to the element
  type, operation by operation in the order of the source, and what may underflow is 0: in float32 ``1e-10 + 1 - p``
  reaches 0 and ``p + 1e-10`` does not.
- ``ops/ranges/`` declares with ``@range_of("log")`` what an operation does to the ranges of its operands, one file
  per family. An operation without a declaration gives unknown bounds. ``order.py`` knows that nothing exceeds its
  maximum and that a part does not exceed its whole, ``conditions.py`` what comparisons tell (``where``, masks,
  branches, assertions). ``affine.py`` knows sums of multiples: ``(a + b) + (a - b)`` is ``2a`` up to a rounding error
  (``domains/affine.py``). With parts, its terms are the elements that lie there: ``places.py`` follows a region back
  through slices, splits, layouts, ``cat``, ``stack`` and assignments to slices as long as it lies wholly in one
  operand.
- Parts: cuts come from where tensors are put together, split, sliced (``parts.py``, ``selection.py``), padded
  (``padded.py``) and assigned to (``assigned.py``: ``x[:, :3] = v``, masks, scatter). Sums along cuts are computed part by
  part (``part_sums.py``), last elements along an axis of unknown size from what was added there (``ends.py``).
- **Counters.** The recorded pass of a loop has the numbers of the first; ``Program.later`` has the results of a later
  pass, in which they stand for any, wherever the arguments of an operation differ, and ranges hold for both. A number
  that falls is a symbol that may come to 0 and below (``domains/dim.py``: ``FALLING``), unlike a size.
- Sums are rounded as libraries add them up (``ops/ranges/rounding.py``). ``ops/ranges/hazards.py`` declares where the
  derivative of an operation is infinite, whatever a rule makes of it. An operation without a declaration stands with
  its reason in ``tests/ops/test_every_op_has_a_range.py``; ``benchmarks.numeric.soundness`` compares random programs
  with what is inferred.
"""
