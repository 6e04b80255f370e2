"""What diagnosing costs a program that trains: its own time with and without, step for step."""
