"""The rules: one file per catalogue entry, one folder per family.

- ``Finding.message`` is the fact, one short sentence; ``Finding.advice`` what to change. ``full`` prints the advice
  as ``help:``, ``github`` and editors on a second line, SARIF as a second sentence, JSON as a field; ``concise``
  leaves it out. ``rules/shortening.py`` shortens quoted expressions: ``...`` takes the place of whole
  sub-expressions. ``told_apart`` names operations of one name by their lines.
- Warnings are what comes about: ``analysis/saturation.py`` (do scores come as far as rounding?),
  ``analysis/drawn_index.py`` (was the element drawn by its own probability?), ``analysis/batch_axis.py`` (does
  anything need the axis?) and ``analysis/keras_training.py`` (does anything use the loss?) tell them from what holds
  and does no harm, which is information.
"""
