"""The command line: one command per file, imported only when it runs.

**Exit status.** 0 nothing found, 1 findings of at least ``fail-on``, 2 the work could not be done. A missing path is
reported as a finding (``io-error``) and gives 2, because a mistyped path in CI must not look like ordinary findings.
"""
