"""The result of a bisection for machines, terminals and browsers.

``report/``: the record with its schema, terminal lines, and an HTML page (``plot``, ``drawing``; of the parts in
``dllint/page``). ``reproduction.py`` writes a pytest for each culprit, which opens both sides by the spec and
computes one operator on saved values.
"""
