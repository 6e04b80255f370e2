"""Constant folding: the results of operations on known numbers.

**Written numbers.** A tensor that is a function of literals alone (a diffusion schedule, a table of positions) is
computed, not enclosed: ``analysis/ranges/constants.py`` says which tensors are, ``ops/values/evaluation.py`` computes the
slice of the program behind them with the declarations of ``ops/values/`` (one function per operation, on arrays whose
elements lie between two numbers, ``domains/enclosure.py``, so that the roundings by which libraries differ are
reported). Several functions share an operation because they give one shape (``numpy.percentile`` is a ``mean`` to
whoever asks for its shape), so only the library names that a declaration gives count. At most 100,000 elements a tensor
and 3 million a program; numpy is loaded where there is something to compute. The same evaluation, with drawn numbers
for what is trained, drawn or given, looks for a witness of a danger (``analysis/ranges/witness.py``).
"""
