"""Settings: each one once with its documentation, where they are read from and how rule selectors resolve."""
