"""Running the user's program as ``python`` would: a script, a directory or archive, or a module.

The program runs in this process as ``__main__`` (``launch``, ``session``, ``watchdog``; ``watching`` implements
``dllint.watch``; both end in ``conclusion``). ``arrival`` notices that a framework has been imported and installs its
probe before the import statement returns. A run is ended by an exception of a private class (``limits.Stopped``), raised again
at each step if the program catches it; a program that still continues is given up from a timer's thread. ``exits`` handles ways
out without an exception: ``os._exit``, forked children, threads.
"""

from __future__ import annotations

import os
import runpy
import sys
import threading
import traceback
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Final

from dllint.diagnose.limits import Stopped
from dllint.diagnose.places import SourcePlace, place_of, raised_through, user_frames

#: How observation ended, in words.
ENDED: Final = {
    "finished": "the program finished",
    "exit": "the program ended itself",
    "steps": "the step limit was reached",
    "time": "the time limit was reached",
    "memory": "the memory limit was reached",
    "device-memory": "the limit of the device's memory was reached",
    "terminated": "terminated",
    "certain": "a certain finding ended the run",
    "interrupted": "interrupted",
    "error": "the program failed",
}
#: The exit status of a process that SIGTERM has ended, as shells report it.
_TERMINATED: Final = 143


@dataclass(frozen=True, slots=True)
class Program:
    """What to run: ``target`` is a path, or a module's name if ``is_module``; ``arguments`` are its own. ``source`` is its
    file: what has no better place is reported at its beginning."""

    target: str
    arguments: tuple[str, ...] = ()
    is_module: bool = False
    source: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the program ended: ``finished``, ``exit``, ``error``, ``interrupted`` or the reason of a stop. ``status`` is the exit
    status that ``python`` would have given; ``traceback`` the program's own. ``place`` is where it was when it was ended from
    outside."""

    ended: str
    status: int = 0
    traceback: str = ""
    place: SourcePlace | None = None


def launch(program: Program) -> Outcome:
    """Run a program to its end in this process, as ``__main__``."""
    arguments, folder = sys.argv, os.getcwd() if program.is_module else str(Path(program.target).resolve().parent)
    sys.argv = [program.target, *program.arguments]
    sys.path.insert(0, folder)
    try:
        if program.is_module:
            runpy.run_module(program.target, run_name="__main__", alter_sys=True)
        else:
            _run_file(Path(program.target).absolute())
    except Stopped as stop:
        return stopped(stop.reason, raised_through(stop))
    except SystemExit as end:
        return Outcome("exit", _status(end.code))
    except KeyboardInterrupt as interrupt:
        return Outcome("interrupted", 130, place=raised_through(interrupt))
    except BaseException as error:
        return Outcome("error", 1, _own_traceback(error))
    finally:
        sys.argv = arguments
        with suppress(ValueError):
            sys.path.remove(folder)
    return Outcome("finished")


def _run_file(path: Path) -> None:
    if path.is_dir() or path.suffix in (".zip", ".pyz"):
        runpy.run_path(str(path), run_name="__main__")
        return
    # Not by runpy, which would change sys.argv[0] and take the module away at the end, before the program's exit handlers run.
    loader = SourceFileLoader("__main__", str(path))
    code = loader.source_to_code(loader.get_data(str(path)), str(path))
    main = ModuleType("__main__")
    vars(main).update(__file__=str(path), __cached__=None, __loader__=loader, __builtins__=__builtins__)
    sys.modules["__main__"] = main
    exec(code, vars(main))


def _status(code: object) -> int:
    if code is None or isinstance(code, int):
        return code or 0
    print(code, file=sys.stderr)
    return 1


def stopped(reason: str, place: SourcePlace | None) -> Outcome:
    """The outcome of a program that was ended from outside."""
    return Outcome(reason, _TERMINATED if reason == "terminated" else 0, place=place)


def main_place() -> SourcePlace | None:
    """Where the program's main thread is."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    user = next(user_frames(frame), None)
    return place_of(user) if user is not None else None


def _own_traceback(error: BaseException) -> str:
    """The traceback from the program's first frame on, without those that launched it."""
    frames: TracebackType | None = error.__traceback__
    while frames is not None and _is_launching(frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames or error.__traceback__))


def _is_launching(filename: str) -> bool:
    return filename in (__file__, runpy.__file__) or filename.startswith("<frozen runpy")
