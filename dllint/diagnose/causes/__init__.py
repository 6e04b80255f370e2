"""Causes: hypotheses about what makes a symptom, one file each, with the edits that would repair it.

A ``Hypothesis`` weighs symptoms and evidence and makes ``Candidate``s (edits with a score); static findings are one hypothesis
among them. ``remedies`` ranks candidates, with or without a ``Trial``. ``causes/keras/`` has the hypotheses whose edits differ
in Keras sources; ``source``, ``losses``, ``optimizers`` and ``training_calls`` find what can be edited there.

To add a hypothesis, write one file in ``causes/`` with a subclass of ``Hypothesis``: ``kind``, ``supports`` (symptom → weight)
and ``repairs(case)`` (message, edits and the strength of the evidence). The registry finds it. ``Code`` gives nodes at places,
qualified names and edits.
"""
