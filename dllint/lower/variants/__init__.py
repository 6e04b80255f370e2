"""Configuration variants: the settings that defaults do not choose, and the runs that are made under them."""
