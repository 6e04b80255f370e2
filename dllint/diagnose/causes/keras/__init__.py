"""Causes in programs that use Keras: other edits for hypotheses that all frameworks share, and hypotheses of its own."""
