"""Whether time and memory grow as a text does."""
