"""Where two recorded runs part, and what probably explains it."""
