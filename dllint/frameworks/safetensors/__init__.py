"""What names of safetensors mean."""
