"""Trials: the program is run again for a few steps with each candidate repair, and without any."""
