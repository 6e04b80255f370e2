"""Symptoms: one file each, found by the registry.

- **Experiments** (``experiments``, on the copy, with restored random numbers) and **simple models** (``baselines/``,
  NumPy only) give records; symptoms judge them like all other facts.
- **Hints** (``SymptomCheck.is_mild``, ``learning.is_solving``). What does no harm while the program does far better
  than a constant, or, where that is not known, its loss has fallen far (a great first loss, unscaled inputs, dead
  units of a layer that still fires), is reported as a hint. ``choices`` tells a layer that a router leaves out from
  one that is forgotten.
- To add a symptom: one file in ``symptoms/`` with a subclass of ``SymptomCheck`` (``code``, ``name``, ``symptom``,
  ``check(run)``; ``remark(run)`` for what cannot be said; ``explains`` for symptoms that are its consequences). The
  registry finds it. Thresholds are ``Threshold(value, source)``.
- To add a fact that symptoms need: a field in ``records`` with a default, filled by the probes.
"""
