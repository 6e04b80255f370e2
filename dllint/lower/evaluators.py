"""Every evaluator and native: importing it fills the tables by which the interpreter finds them (:mod:`dllint.lower.dispatch`).

It stands above all of them, so that those need not know each other to be there.
"""

from dllint.lower import branches, comprehensions, expressions, guarded, imports, loops, matching, statements, subscripts
from dllint.lower.natives import tables as natives

LOADED = (branches, comprehensions, expressions, guarded, imports, loops, matching, natives, statements, subscripts)
