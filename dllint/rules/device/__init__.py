"""Rules about devices, memory and results that are lost."""
