"""Random programs of control flow, or of Python's objects, run by Python and by the interpreter."""
