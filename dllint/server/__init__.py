"""The language server: diagnostics, quick fixes, hovers and inlay hints for editors, over standard input and output."""
