"""DLN: numeric safety.

**Fixes.** ``rules/fused_form.py`` and ``rules/length_form.py`` write the function that a composition is, also across
statements where its argument still means the same (``fixes/repeating.py``); safe. ``rules/guards.py`` guards an
operand, by operation and element type, so that the derivative is finite, too, and ``rules/selected.py`` chooses
inside the function; unsafe. ``tests/rules/test_guards.py`` runs what they write.
"""
