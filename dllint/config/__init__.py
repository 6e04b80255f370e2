"""Settings: each one once with its documentation, where they are read from and how rule selectors resolve.

- **No configuration merging.** The nearest file wins, as in ruff; users know the model.
- **Selection by specificity.** Of ``select`` and ``ignore``, the more specific selector wins. Rules that are off by
  default are selected by code, name or ``ALL``, never by a prefix.
"""
