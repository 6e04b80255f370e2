"""What numpy names mean: rows of array functions, random generators and loading."""
