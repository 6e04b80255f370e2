"""dllint: finds the bugs in deep-learning code that cost GPU days."""

__version__ = "0.1.0"
