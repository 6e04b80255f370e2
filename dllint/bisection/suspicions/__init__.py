"""What may be wrong with an operator: one small test per suspicion, on the values of that operator alone.

``suspicions/`` says what may be wrong with a culprit: ``gathering`` computes the operator on both sides from the same
values and collects arguments (``HasSettings``) and weights; ``table`` lists small functions of that evidence, the
most specific first. A new suspicion is such a function and a line in the table.
"""
