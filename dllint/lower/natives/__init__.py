"""Python builtins and standard library functions over abstract values."""
