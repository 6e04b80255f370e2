"""The entry point: which command there is, which module has it, and how the process ends."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from io import TextIOWrapper
from typing import Final, NoReturn

import click
from click.shell_completion import CompletionItem, shell_complete

from dllint import __version__
from dllint.cli.compiled import file_of_methods, kept_methods
from dllint.cli.failures import UNUSABLE, say
from dllint.cli.isolation import keep_children_out, leave_folder_of_script
from dllint.engine.ended import EndedError

#: Command, the module that has it, and the line ``--help`` shows; a module is imported when its command runs.
COMMANDS: Final = {
    "check": ("dllint.cli.check", "Find faults in files and directories, and fix them."),
    "migrate": ("dllint.cli.migrate", "Write a project for a newer release of its libraries."),
    "diagnose": ("dllint.cli.diagnose", "Run a training script and tell what is wrong with it."),
    "rule": ("dllint.cli.rule", "Explain a rule."),
    "explain": ("dllint.cli.explain", "Tell what is known at a place: findings, shapes, types."),
    "summary": ("dllint.cli.summary", "Print the layers of models: shapes, parameters, costs."),
    "graph": ("dllint.cli.graph", "Draw a model as a graph: SVG or Mermaid."),
    "ir": ("dllint.cli.ir", "Print the traced program of a file."),
    "clean": ("dllint.cli.clean", "Remove the kept results of earlier runs."),
    "bisect": ("dllint.cli.bisect", "Find the operator of a deployed model that costs its metric."),
    "server": ("dllint.cli.server", "Run the language server, for editors."),
    "mcp": ("dllint.mcp.command", "Run the server for coding agents (Model Context Protocol)."),
    "config": ("dllint.cli.config", "List the settings."),
    "dev": ("dllint.cli.dev", "Tools for people who work on dllint."),
}

#: The variable by which shells ask what could come next, and how to ask (``bash_source``), as click names it.
_COMPLETING: Final = "_DLLINT_COMPLETE"
INTERRUPTED: Final = 130
#: The exit status of a process that a signal has ended lies this much above the signal's number.
_BY_SIGNAL: Final = 128
#: The commands that run the user's program, which starts processes of its own.
_RUNNING: Final = ("diagnose", "bisect")


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def __init__(self, *args: object, table: dict[str, tuple[str, str]], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.table:
            return None
        command: click.Command = import_module(self.table[cmd_name][0]).command
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The names of commands and options, without importing the commands."""
        names = [CompletionItem(name, help=text) for name, (_, text) in self.table.items() if name.startswith(incomplete)]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name in the message for an unknown one."""
        from dllint.config.errors import nearest

        if args and not args[0].startswith("-") and args[0] not in self.table:
            ctx.fail(f"no such command `{args[0]}`{nearest(args[0], self.table)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.table.items()])


@click.group(cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="dllint %(version)s")
def command() -> None:
    """Find the bugs in PyTorch and Keras code that cost GPU days."""


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return the exit status: 0 nothing found, 1 findings, 2 the command could not do its work,
    130 interrupted."""
    completing = os.environ.get(_COMPLETING)
    if completing:
        return shell_complete(command, {}, "dllint", _COMPLETING, completing)
    try:
        with command.make_context("dllint", list(arguments)) as context:
            status = command.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return UNUSABLE
    except (KeyboardInterrupt, click.Abort):
        print("dllint: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has enough; what is still buffered must not raise again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if isinstance(error, FileNotFoundError) and not _has_folder():
            say("error: the folder that dllint was started in does not exist any more")
            return UNUSABLE
        if os.environ.get("DLLINT_DEBUG"):
            raise
        say(f"internal-error: {type(error).__name__}: {error} (DLLINT_DEBUG=1 shows where)")
        return UNUSABLE
    return status if isinstance(status, int) else 0


def _has_folder() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def main() -> NoReturn:
    """The ``dllint`` command. The garbage collector would only walk what a short-lived process keeps anyway, so it is
    off, and the process ends without tearing its data down piece by piece; not so if it runs the user's program."""
    leave_folder_of_script()
    runs_program = sys.argv[1:2] in [[command] for command in _RUNNING]
    if not runs_program:
        keep_children_out()
    if sys.argv[1:2] == ["diagnose"]:
        sys.exit(run(sys.argv[1:]))
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # names of files need not be text
    gc.disable()
    try:
        with nullcontext() if runs_program else kept_methods(file_of_methods()):
            status = run(sys.argv[1:])
    except EndedError as end:
        os._exit(_BY_SIGNAL + end.number)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os._exit(0)
    sys.stderr.flush()
    os._exit(status)
