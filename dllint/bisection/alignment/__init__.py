"""Which deployed value stands for which of the reference: evidence by evidence.

``alignment/``: one kind of evidence, one file. First what was written (the user's file, names, the exporter's
metadata, names before quantisation); where that leaves much open, what is observed: shared weights (in any layout,
folded or rounded), the same values up to scale in the order of both graphs, the same place between aligned values,
modules. On exports of the benchmark's three models with all names and metadata removed, 165 of 169 pairs are found
again, and none whose values differ. A pair ends at the last value of the row of casts, roundings and moves behind it
(``chains.py``), which belongs to the operator in front. A fused operator stands for the last node that it replaces;
``Step.covers`` names the others, and a culprit lists them.
"""
