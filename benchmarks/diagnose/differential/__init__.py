"""Whether a program does under ``dllint diagnose`` what it does by itself: output, status, files, weights, random numbers."""
