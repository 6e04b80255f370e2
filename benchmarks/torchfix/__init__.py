"""What TorchFix expects on its own fixtures, against what dllint reports and rewrites there.

The fixtures are read from a checkout of TorchFix and never copied. ``codes`` maps its codes to ours; ``reports`` compares the
reports, ``rewrites`` the results of its codemods with those of ``dllint check --fix --unsafe-fixes`` and ``dllint migrate``.
"""
