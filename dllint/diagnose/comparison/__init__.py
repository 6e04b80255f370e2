"""Comparison of two recorded runs: where they diverge, and the probable reason.

**Comparison** (``comparison/``). ``parting`` finds the first difference in the order of cause, ``conditions`` what
the runs were given that differs, ``explanation`` puts both together (which kinds of conditions explain which quantity
is a table), ``text`` prints.
"""
