"""How each question is answered, in the worker: one module for each tool."""
