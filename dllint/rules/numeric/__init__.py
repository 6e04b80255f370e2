"""DLN: numeric safety.

``rules/fused_form.py`` and ``rules/length_form.py`` replace a composition by its fused function, also across statements if its
argument means the same there (``fixes/repeating.py``); these fixes are safe. ``rules/guards.py`` guards an operand by operation
and element type, so that the derivative is finite too, and ``rules/selected.py`` selects inside the function; these are unsafe.
``tests/rules/test_guards.py`` runs the edited code.
"""
