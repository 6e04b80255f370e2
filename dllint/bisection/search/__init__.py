"""The search for culprits over cuts of the reference.

``search/``: ``gate`` (reference right, candidate worse), ``splitting`` (rows of operators over which the metric
falls, or rises, are halved, at boundaries of modules where they are near the middle), ``acquittal`` (what later
operators undo is another representation), ``isolation`` (is the operator alone sufficient?), ``repair`` (does the
metric recover without it, and what is behind it?). ``watching`` compares the candidate unwatched, watched and run
twice: where watching mends the metric, the verdict says so and ``optimisers`` finds the level and the optimiser that
matter; a candidate that is not deterministic is run four times and judged by the mean. ``groups`` measures rows of
operators by a Hadamard design where no single one explains half of the drop.
"""
