"""Random programs of branches, loops, exceptions and helper functions, run by Python and by the interpreter."""
