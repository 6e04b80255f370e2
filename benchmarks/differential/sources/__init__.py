"""Where programs come from: one module per source, each with ``program(source) -> Program``."""
