"""``python -m dllint`` is the ``dllint`` command."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the working directory: what lies there must not be imported

    from dllint.cli.main import main

    main()
