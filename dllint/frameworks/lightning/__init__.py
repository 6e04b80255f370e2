"""What Lightning names mean: modules and trainers over torch."""
