"""Standing fuzzers: inputs that nobody wrote, and what must hold for every one of them."""
