"""What einops names mean."""
