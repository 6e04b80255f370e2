"""``python -m dllint`` is the ``dllint`` command."""

from dllint.cli.main import main

if __name__ == "__main__":
    main()
