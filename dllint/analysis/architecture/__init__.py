"""The architecture of a model: its tree of modules, with their calls, shapes, weights and costs.

``tree.py`` builds the tree of a module from the values of a traced program, ``weights.py`` counts the weights of each module,
``calls.py`` finds what each module was called with, ``models.py`` says which models a file has.
What is not followed is said (``Module.gaps``); a number of which a part is not known is a lower bound, never a guess.
"""
