"""Faults of training put into public training scripts that carry no label, and what dllint says of them.

- ``scripts/N.tsv``: the scripts of draw N, written by ``draw.py``; the public files themselves are not in this repository.
- ``script.py``: a script as a tree, with the questions that kinds of faults ask, and what a changed text is made of.
- ``kinds/``: the kinds of faults: where a script can have one, and the text that has it.
- ``proofs.py``: small programs on which each kind is run: it raises, or shows what it is said to do.
- ``checking.py``: what dllint says of the unchanged script, its twin, and of each changed one.
"""
