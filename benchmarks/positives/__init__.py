"""Which rules of training have found a fault in public code, and how many of their findings there are false."""
