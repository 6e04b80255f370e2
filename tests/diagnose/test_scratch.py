"""What a program writes while repairs are tried does not reach the user's files."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.diagnose.file_operations import plant
from tests.diagnose.scripts import ROOT

PROGRAM = """
import io, os, pathlib, sys
from dllint.diagnose.trials.scratch import keep_writes_apart
keep_writes_apart(pathlib.Path(sys.argv[1]), (os.getcwd(),))
with open("log.txt", "a") as log:
    log.write("more")
os.makedirs("out/deep", exist_ok=True)
pathlib.Path("out/deep/a.txt").write_text("a")
os.replace("out/deep/a.txt", "b.txt")
print(open("b.txt").read(), open("log.txt").read())
os.remove("kept.txt")
print(os.path.exists("kept.txt"), sorted(os.listdir()))
os.symlink("b.txt", "link.txt")
print(open("link.txt").read(), os.readlink("link.txt"))
try:
    io.FileIO("low.txt", "w")
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
    assert done.stdout.splitlines() == [
        "a user'smore",
        "False ['b.txt', 'log.txt', 'out']",
        "a b.txt",
        "refused",
    ]
    assert {path.name: path.read_text() for path in home.iterdir()} == {"log.txt": "user's", "kept.txt": "user's"}


@pytest.mark.parametrize("part", range(4))
def test_files_are_used_as_without_it(tmp_path, part):
    folders = tmp_path / "plain", tmp_path / "led"
    for folder in folders:
        for number in range(25):
            plant(folder / f"{part}-{number}")
    before = {path: path.read_text() for path in folders[1].rglob("*") if path.is_file()}
    told = []
    for folder, scratch in zip(folders, ("", str(tmp_path / "scratch")), strict=True):
        done = subprocess.run(
            [sys.executable, "-P", str(ROOT / "tests/diagnose/file_operations.py"), str(folder), scratch],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        told.append(done.stdout.replace(str(folder), "BASE").splitlines())
    for plain, led in zip(*told, strict=True):
        assert led == plain
    assert {path: path.read_text() for path in folders[1].rglob("*") if path.is_file()} == before


TENSORFLOW = """
import os, pathlib, sys
import tensorflow as tf
from dllint.diagnose.trials.scratch import keep_writes_apart
keep_writes_apart(pathlib.Path(sys.argv[1]), (os.getcwd(),))
weight = tf.Variable(1.0)
checkpoint = tf.train.Checkpoint(weight=weight)
manager = tf.train.CheckpointManager(checkpoint, "kept", max_to_keep=1)
manager.save()
weight.assign(2.0)
manager.save()
weight.assign(3.0)
checkpoint.restore(manager.latest_checkpoint).assert_consumed()
checkpoint.write("own")
with tf.summary.create_file_writer("logs").as_default():
    tf.summary.write("loss", tf.constant(1.0), step=1)
tf.io.write_file("log.txt", "new")
with tf.io.gfile.GFile("log.txt") as log:
    print(float(weight), log.read())
tf.io.gfile.makedirs("made/deep")
tf.io.gfile.remove("log.txt")
tf.io.TFRecordWriter("records").write(b"x")
weight.assign(4.0)
checkpoint.read("own")
print(float(weight))
"""


@pytest.mark.oracle
@pytest.mark.parametrize("framework", ["keras-tensorflow"])
def test_what_tensorflow_writes_is_led_there_too(tmp_path, run_in_fork):
    home = tmp_path / "home"
    (home / "kept").mkdir(parents=True)
    (home / "log.txt").write_text("user's")
    program = tmp_path / "program.py"
    program.write_text(TENSORFLOW)
    _, out, err = run_in_fork([str(program), str(tmp_path / "scratch")], home, plain=True)
    assert out.splitlines() == ["2.0 new", "2.0"], err
    assert sorted(path.name for path in home.rglob("*")) == ["kept", "log.txt"]
    assert (home / "log.txt").read_text() == "user's"
