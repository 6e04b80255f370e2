"""The process that analyses: one question after the other, each within the limits of ``dllint check`` for a file."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

import click

from dllint.config.discovery import Configuration
from dllint.config.errors import ConfigError
from dllint.engine.endings import end_with_parent
from dllint.engine.limits import Limits
from dllint.lower.options import StoppedError
from dllint.mcp.questions import Answer, Around, Check, Explain, Fixes, Question, Refused, Reply, ShapeAt, Summary
from dllint.mcp.roots import RefusedError
from dllint.mcp.work.checks import check
from dllint.mcp.work.fixes import fixes
from dllint.mcp.work.models import summary
from dllint.mcp.work.pages import explain
from dllint.mcp.work.places import shape_at


def live(connection: Connection, around: Around) -> None:
    """The life of the process. It ends with its parent, whose end closes the connection."""
    end_with_parent()
    gc.disable()
    gc.freeze()
    try:
        while not _answer(connection, around):
            gc.collect()
    except (KeyboardInterrupt, EOFError, OSError):
        pass
    finally:
        os._exit(0)


def _answer(connection: Connection, around: Around) -> bool:
    """Answer the next question; whether the process has to end, since it holds too much memory or may be in disorder."""
    question: Question = connection.recv()
    is_last = False
    value: Answer | Refused
    try:
        value, is_last = _limited(question, around)
    except (RefusedError, ConfigError) as error:
        value = Refused(str(error))
    except click.ClickException as error:
        value = Refused(error.message)
    except Exception as error:  # a fault of ours must not end the process
        traceback.print_exc(file=sys.stderr)
        value = Refused(f"internal-error: {type(error).__name__}: {error}")
    connection.send(Reply(value, is_last))
    return is_last


def _limited(question: Question, around: Around) -> tuple[Answer | Refused, bool]:
    """The answer. Each file of a check has limits of its own."""
    if isinstance(question, Check):
        return check(question, around), False
    if isinstance(question, Explain):
        return explain(question), False
    settings = Configuration().for_file(Path(question.path))
    limits = Limits(settings.max_memory)
    value: Answer | Refused = Refused("")
    with limits.watching(settings.max_seconds) as reached:
        try:
            value = _about_file(question, around)
        except StoppedError:
            value = Refused(f"the analysis of {around.roots.shown(question.path)} was stopped after {reached.reason}")
    return value, bool(reached.reason) or limits.is_high


def _about_file(question: ShapeAt | Summary | Fixes, around: Around) -> Answer:
    if isinstance(question, ShapeAt):
        return shape_at(question, around)
    if isinstance(question, Summary):
        return summary(question, around)
    return fixes(question, around)
