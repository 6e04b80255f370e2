"""Runs a program for its first steps in this process and writes its record: ``python -m … request``.

The request is JSON: ``target``, ``arguments``, ``module``, ``folder``, ``steps``, ``seconds``, ``scratch``. The record goes to
``record.json`` in the scratch folder.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.launch import Program
from dllint.diagnose.limits import Limits
from dllint.diagnose.probes.options import ProbeOptions
from dllint.diagnose.record_file import written
from dllint.diagnose.session import Request, diagnose
from dllint.diagnose.trials.scratch import keep_writes_apart

RECORD: Final = "record.json"


def observe(request: dict[str, Any]) -> None:
    """Run the program; the process is of no use for anything else afterwards."""
    os.chdir(request["folder"])
    keep_writes_apart(Path(request["scratch"]), (request["folder"],))

    def finish(diagnosis: Diagnosis) -> int:
        if diagnosis.outcome.traceback:
            print(diagnosis.outcome.traceback, file=sys.stderr)
        Path(request["scratch"], RECORD).write_text(json.dumps(written(diagnosis.run), allow_nan=False), encoding="utf-8")
        return 0

    program = Program(request["target"], tuple(request["arguments"]), request["module"], _source(request))
    limits = Limits(request["steps"], request["seconds"])
    wanted = Request(program, (), lambda path: "", limits, ProbeOptions(thorough=True))
    finish(diagnose(wanted, lambda event, record: None, finish))


def _source(request: dict[str, Any]) -> Path | None:
    return None if request["module"] else Path(request["folder"], request["target"])


if __name__ == "__main__":
    observe(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
