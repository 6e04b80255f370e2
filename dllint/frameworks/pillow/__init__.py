"""What names of Pillow mean."""
