"""Conditions for reproducing a run: seeds, versions, hardware, settings, sources.

**Surroundings** (``reproducibility/``). What a run depends on: ``seeding`` wraps the functions that seed generators,
the rest is read when the run has ended. ``obstacles`` says why it cannot be repeated. ``record_file`` is the form of
``--record``: JSON with a kind and a version.
"""
