"""Causes: hypotheses about what makes a symptom, one file each, with the edits that would repair it.

- **Causes** (``causes/``). The decision tree as data: every ``Hypothesis`` weighs symptoms and evidence, and makes
  ``Candidate``s (edits with a score). Static findings are one hypothesis among them. ``remedies`` ranks candidates,
  with or without a ``Trial``. ``causes/keras/`` derives hypotheses whose edits are others in Keras sources:
  ``source``, ``losses``, ``optimizers`` and ``training_calls`` find what can be edited.
- To add a hypothesis: one file in ``causes/`` with a subclass of ``Hypothesis`` (``kind``, ``supports``: symptom →
  weight, ``repairs(case)``: message, edits and how strongly the record speaks for them). The registry finds it.
  ``Code`` gives nodes at places, qualified names and edits.
"""
