"""Rules about training loops: gradients cleared, computed and applied in the right order."""
