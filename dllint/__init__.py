"""dllint: finds the bugs in deep-learning code that cost GPU days."""

# Nothing is imported here: ``python -m dllint`` still has the working directory on its module path (see __main__).
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """``dllint.watch`` and the notebook extension, imported when they are asked for: the command line needs neither."""
    if name == "watch":
        from dllint.diagnose.watching import watch

        return watch
    if name in ("load_ipython_extension", "unload_ipython_extension"):
        from dllint.diagnose.faces import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module 'dllint' has no attribute '{name}'")
