"""In the analysis process: a test of the architecture of a model of an open file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import libcst

from dllint.analysis.architecture.models import models
from dllint.analysis.architecture.tree import kind_of
from dllint.engine.analysis import Analysis
from dllint.engine.architecture_test import expected, module_name, written_test
from dllint.engine.asked_model import AnalyseWith, NoModelError
from dllint.server.messages import ModelTest


def model_test(path: Path, name: str, analysis: Analysis | None, analyse: AnalyseWith) -> ModelTest:
    """The test of a class of a file; ``analysis`` is the last one of the file, which may make one with arguments."""
    missing: tuple[str, ...] = ()
    for expression in (name, *(_constructions(name, analysis) if analysis is not None else ())):
        try:
            found = expected(analyse, expression, [])
        except NoModelError as error:
            missing = missing or error.missing
            continue
        if not found.is_empty:
            return ModelTest(written_test(found, module_name(path), name))
    if missing:
        arguments = ", ".join(f"{argument}=…" for argument in missing)
        return ModelTest("", f'{name} needs arguments: dllint summary --write-test FILE {path.name}:"{name}({arguments})"')
    return ModelTest("", f"too little is known of {name} to test it")


def _constructions(name: str, analysis: Analysis) -> Iterator[str]:
    """The calls of a class in the file whose arguments are literals."""
    for model in models(analysis.programs):
        site = model.site
        if kind_of(model.instance) != name or site is None or site.document is not analysis.home or site.statement is None:
            continue
        if isinstance(site.node, libcst.Call):
            source = site.document.source(site.document.span(site.statement, site.node))
            if _is_plain(source, name):
                yield source


def _is_plain(source: str, name: str) -> bool:
    try:
        call = ast.parse(source.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != name:
            return False
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            ast.literal_eval(argument)
    except (SyntaxError, ValueError):
        return False
    return True
