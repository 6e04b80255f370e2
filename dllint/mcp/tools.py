"""The tools of the server, under the names and with the descriptions that agents see."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from dllint import __version__
from dllint.mcp import runs
from dllint.mcp.answers import CheckAnswer, FixesAnswer, PlaceAnswer, RulePage, RunAnswer, SummaryAnswer
from dllint.mcp.desk import Desk
from dllint.mcp.questions import Answer, Around, Check, Explain, Fixes, Question, ShapeAt, Summary
from dllint.mcp.roots import RefusedError, Roots

_READS: Final = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
_RUNS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True)
_INSTRUCTIONS: Final = (
    "dllint analyses PyTorch, Keras and TensorFlow code without running it: shapes, element types, parameters, faults in models"
    " and training loops. Call `check` after an edit of such code, `shape_at` instead of guessing a shape, `summary` for the"
    " layers of a model, `fixes` for edits that are proved to remove a finding (apply them yourself), `explain` for a rule."
    " What is not known is left out, never guessed."
)
_T = TypeVar("_T")

Paths = Annotated[list[str], Field(min_length=1, max_length=100, description="Files or folders below the roots.")]
File = Annotated[str, Field(description="A file below the roots.")]
Line = Annotated[int, Field(ge=1, description="A 1-based line.")]
Cell = Annotated[int | None, Field(ge=1, description="In a notebook: the 1-based cell that the line is counted in.")]
Most = Annotated[int, Field(ge=1, le=200, description="The most findings that are shown.")]


@dataclass(frozen=True, slots=True)
class Options:
    """What the user has chosen: the roots, the environment that is read, whether programs may be run and with which
    interpreter, and the seconds for a question and for a run."""

    roots: Roots
    python: str = ""
    allow_run: bool = False
    interpreter: str = ""
    seconds: float = 120.0
    run_seconds: float = 600.0


class Tools:
    """The methods are the tools; their docstrings and annotations are what agents read."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._roots = options.roots
        self.desk = Desk(Around(options.roots, options.python), options.seconds)

    async def check(
        self,
        paths: Paths,
        select: Annotated[list[str], Field(description="Codes, prefixes or names of rules; all rules if empty.")] = [],  # noqa: B006
        limit: Most = 50,
    ) -> CheckAnswer:
        """Find faults in deep-learning code: shape and type errors, wrong losses, broken training loops. Nothing is run.

        Findings have a place (path:line:column), the fact, what to change, and whether `fixes` has an edit for it.
        """
        # Half of the time for what is begun before its end.
        asked = Check(self._resolved(paths), tuple(select), limit, self._options.seconds / 2)
        return await self._ask(asked, CheckAnswer)

    async def explain(self, rule: Annotated[str, Field(description="A code (DLT101) or a name.")]) -> RulePage:
        """The page of a rule: what it finds, why that is wrong, examples, when it stays silent."""
        return await self._ask(Explain(rule), RulePage)

    async def shape_at(
        self,
        file: File,
        line: Line,
        column: Annotated[int | None, Field(ge=1, description="A 1-based column: only expressions around it.")] = None,
        name: Annotated[str, Field(description="Only this name or expression, as it is written in the line.")] = "",
        cell: Cell = None,
    ) -> PlaceAnswer:
        """What is known at a line: shapes with element types (f32[B, 512]), ranges of values, layers, parameters."""
        (path,) = self._resolved([file])
        return await self._ask(ShapeAt(path, line, column, name.strip(), cell), PlaceAnswer)

    async def summary(
        self,
        target: Annotated[str, Field(description="`net.py`, or with a class or an expression of it: `net.py:Net(width=64)`.")],
        inputs: Annotated[list[str], Field(description="What the model is given: `1,3,224,224`, `8,128:int64`.")] = [],  # noqa: B006
        depth: Annotated[int, Field(ge=0, le=10, description="Levels of modules that are shown.")] = 3,
    ) -> SummaryAnswer:
        """The layers of the models of a file: shapes, parameters, multiplications. Nothing is run."""
        path, model = self._target(target)
        return await self._ask(Summary(path, model, tuple(inputs), depth), SummaryAnswer)

    async def fixes(
        self,
        file: File,
        line: Annotated[int | None, Field(ge=1, description="Only findings at this line.")] = None,
        code: Annotated[str, Field(description="Only findings of this rule.")] = "",
        cell: Cell = None,
        include_unsafe: Annotated[bool, Field(description="Fixes, too, that change what the program computes.")] = False,
    ) -> FixesAnswer:
        """Edits that are proved to remove findings of a file and to add none. They are not applied: apply those you want."""
        (path,) = self._resolved([file])
        return await self._ask(Fixes(path, line, code, cell, include_unsafe), FixesAnswer)

    async def diagnose(
        self,
        script: Annotated[str, Field(description="A training script below the roots.")],
        arguments: Annotated[list[str], Field(description="The arguments of the script.")] = [],  # noqa: B006
        max_steps: Annotated[int, Field(ge=1, description="The script is ended after so many optimizer steps.")] = 200,
        max_seconds: Annotated[float, Field(gt=0, description="The script is ended after so many seconds.")] = 120.0,
        limit: Most = 20,
    ) -> RunAnswer:
        """Run a training script, with all that it may do, and tell what is wrong with its training: the symptom, the line."""
        (path,) = self._resolved([script])
        run = runs.Run(path, tuple(arguments), max_steps, min(max_seconds, self._options.run_seconds))
        return await _told(runs.diagnose(run, self._roots, self._options.interpreter, limit))

    def _resolved(self, texts: list[str]) -> tuple[Path, ...]:
        try:
            return tuple(map(self._roots.resolve, texts))
        except RefusedError as error:
            raise ToolError(str(error)) from error

    def _target(self, text: str) -> tuple[Path, str]:
        """A file and the expression behind it."""
        for at in (index for index, letter in enumerate(text) if letter == ":"):
            try:
                path = self._roots.resolve(text[:at])
            except RefusedError:
                continue
            if path.is_file():
                return path, text[at + 1 :].strip()
        (path,) = self._resolved([text])
        return path, ""

    async def _ask(self, question: Question, kind: type[_T]) -> _T:
        answer: Answer = await _told(self.desk.ask(question))
        assert isinstance(answer, kind)
        return answer


async def _told(work: Awaitable[_T]) -> _T:
    """What is refused is an answer that the agent reads."""
    try:
        return await work
    except RefusedError as error:
        raise ToolError(str(error)) from error


def make_server(options: Options) -> MCPServer[None]:
    """The server with its tools; the analysis process ends with it."""
    tools = Tools(options)

    @asynccontextmanager
    async def life(_: MCPServer[None]) -> AsyncIterator[None]:
        try:
            yield None
        finally:
            tools.desk.end()

    server = MCPServer[None](
        "dllint", title="dllint", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING", lifespan=life
    )
    for tool in (tools.check, tools.explain, tools.shape_at, tools.summary, tools.fixes):
        server.add_tool(tool, annotations=_READS, structured_output=True)
    if options.allow_run:
        server.add_tool(tools.diagnose, annotations=_RUNS, structured_output=True)
    return server
