"""Who decides whether a model is good: a metric, a command, a person.

``judges/``: a metric with contributions per sample, a metric of the corpus, a command, or a person. Each compares two
outcomes over the same samples. ``statistics/``: exact McNemar, random signs, the paired bootstrap, e-processes that
allow stopping early, and the smallest drop that both halves of the samples would show together.
"""
