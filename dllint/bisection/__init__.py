"""Metric bisection: which operator of a deployed model costs the user's own metric.

The measure is the user's metric, not the distance of tensors: values of the deployed *candidate* are put into the
*reference*, the rest of the reference is run, and the metric of all samples decides. The package imports neither
rules nor source analysis.

- ``graph.py`` is the reference as nodes in topological order. A *cut* is a set of injected values; walking backward
  from the outputs gives what is still needed, on any directed acyclic graph. ``protocols.py`` says what a reference
  and a candidate must be able to do; running in parts (``RunsSegments``) is an ability that not every candidate has.
  Only adapters import frameworks.
- ``steps.py``: the aligned values in order, with the preparation of samples as the first operator and the processing
  of outputs as the last; a ``Profile`` names the cuts of one observation. ``bench.py`` runs the reference with values
  of named observations: *deployed*, *isolated* (an operator alone, on the reference's values) and *repaired* (the
  candidate with the reference's operator in it).
- ``search/errors.py`` runs each operator alone before the metric is asked: it says where to cut first, which operators only
  round as all do, and which pairs of values are none.
- ``trials.py`` remembers outcomes by what the outputs depend on, so that a cut is evaluated once. Half of the samples
  are searched with, the other half confirms.
- ``team.py``: under a launcher all processes search alike and each runs its share of the chunks; ``Trials`` gathers
  the outcomes, so that decisions agree. Models are opened in turns, and must be alike.
- ``observing.py`` chooses the level of optimisation at which a candidate's values are watched: the weakest that does the same.
- ``errors.wrapped_errors`` turns whatever a user's code raises into a ``BisectionError``; ``watching.py`` leaves out
  values whose observation crashes.
"""
