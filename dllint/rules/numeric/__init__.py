"""DLN: numeric safety."""
