"""Which deployed value stands for which of the reference: evidence by evidence."""
