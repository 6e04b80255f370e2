"""What may be wrong with an operator: one small test per suspicion, on the values of that operator alone.

``gathering`` computes the operator on both sides from the same values and collects arguments (``HasSettings``) and weights;
``table`` lists functions of that evidence, the most specific first. To add a suspicion, write such a function and a line in the
table.
"""
