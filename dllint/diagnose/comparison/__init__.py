"""Where two recorded runs part, and what probably explains it.

**Comparison** (``comparison/``). ``parting`` finds the first difference in the order of cause, ``conditions`` what
the runs were given that differs, ``explanation`` puts both together (which kinds of conditions explain which quantity
is a table), ``text`` prints.
"""
