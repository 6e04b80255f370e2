"""The tool ``explain``: the page of a rule."""

from __future__ import annotations

from typing import Final

from dllint.config.errors import ConfigError
from dllint.diagnose.symptom_pages import codes_of, symptom_pages
from dllint.engine.registry import catalogue, metadata
from dllint.mcp.answers import RulePage
from dllint.mcp.questions import Explain
from dllint.mcp.roots import RefusedError

_LONGEST: Final = 6000


def explain(asked: Explain) -> RulePage:
    """The page of one rule, by its code or name; findings of runs have pages, too.

    Raises:
        RefusedError: it names no rule, or several.
    """
    of_runs = codes_of(asked.rule)
    try:
        codes = of_runs or sorted(catalogue().codes_of([asked.rule], "the question"))
    except ConfigError as error:
        raise RefusedError(str(error)) from error
    if len(codes) != 1:
        raise RefusedError(f"`{asked.rule}` names {len(codes)} rules: {', '.join(codes[:20])}")
    record = symptom_pages()[codes[0]] if of_runs else metadata(codes[0])
    page = str(record["page"])
    shown = {name: str(record[name]) for name in ("code", "name", "severity", "confidence")}
    return RulePage(**shown, page=page[:_LONGEST], cut=max(0, len(page) - _LONGEST))
