"""What a program writes while repairs are tried does not reach the user's files."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.diagnose.scripts import ROOT

PROGRAM = """
import os, pathlib, sys
from dllint.diagnose.trials.scratch import keep_writes_apart
keep_writes_apart(pathlib.Path(sys.argv[1]), (os.getcwd(),))
with open("log.txt", "a") as log:
    log.write("more")
os.makedirs("out/deep", exist_ok=True)
pathlib.Path("out/deep/a.txt").write_text("a")
os.replace("out/deep/a.txt", "b.txt")
print(open("b.txt").read(), open("log.txt").read())
os.remove("kept.txt")
try:
    os.symlink("kept.txt", "link.txt")
except PermissionError:
    print("refused")
"""


def test_writes_are_led_to_a_folder_and_read_back(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    for name in ("log.txt", "kept.txt"):
        (home / name).write_text("user's")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "scratch")],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["a user'smore", "refused"]
    assert {path.name: path.read_text() for path in home.iterdir()} == {"log.txt": "user's", "kept.txt": "user's"}
