"""Settings: each one once with its documentation, where they are read from and how rule selectors resolve.

- **No configuration merging.** The nearest file wins, as in ruff; users know the model.
- **Selection by specificity.** Of ``select`` and ``ignore``, the more specific selector wins. Rules that are off by
  default are selected by code, name or ``ALL``, never by a prefix.
- **Resolved once.** ``Configuration`` reads each configuration file, checks its values and resolves its selectors once; files
  that one configuration holds for share the result, and it ends with the ``Configuration``.
"""
