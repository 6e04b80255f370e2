"""What operations compute of numbers that are known."""
