"""Rules about data and the input pipeline."""
