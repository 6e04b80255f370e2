"""Values of JSON and TOML: text, numbers, truths, lists and tables of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import TypeAlias

#: A value as the standard library's readers give it; whoever reads one has to ask what it is. TOML has dates and times, too.
Plain: TypeAlias = str | int | float | bool | date | time | Sequence["Plain"] | Mapping[str, "Plain"] | None
