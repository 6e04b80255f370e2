"""What may be wrong with an operator: one small test per suspicion, on the values of that operator alone."""
