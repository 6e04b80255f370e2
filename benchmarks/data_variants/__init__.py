"""Programs with one fault of data, losses, structure or use each, by an author who had not read the rules."""
