"""Rules about initial values of weights."""
