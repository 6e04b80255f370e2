"""Rules about reproducible runs, saved weights and checkpoints."""
