"""Diagnosis of a training run: what is wrong, on which line, and which fix works.

The package runs the user's program and judges its training. It imports nothing of the static half's analysis: the command
line checks the program first and hands the findings in. Only ``diagnose/probes/<framework>/`` and ``diagnose/faces/``
import frameworks, and only after the program has.

    program ─ launch ─► framework ─► probe ─► monitor ─► RunRecord ─► symptoms ─► findings ─► report/
                        arrival      probes/   schedule   records      symptoms/   + static findings
                                               limits     serial

- **Memory** is bounded: courses of losses are thinned (``history.Series``), sampled steps are the first 20, the last
  40 and a uniform sample of 60 between (``history.Samples``).
- **Tables** for the terminal: ``layer_table`` (``--layers``), ``comparison/text``; both are made with ``text_table``.
- **Places** (``places``, ``assignments``). A ``SourcePlace`` is a range of exact columns, read from a frame's
  instruction. User code is what lies neither in the standard library nor in an installed package. A loss is reported
  at the expression assigned to the name that ``backward`` is called on.
"""
