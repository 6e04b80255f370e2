"""Python builtins and functions of the standard library, on abstract values."""
