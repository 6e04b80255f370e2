"""Does the same random things to files twice: as Python does them, and led to a folder of their own. Prints what came of each.

Arguments: the folder with a tree for each number, and the folder to write to (nothing: files are used as they are).
"""

from __future__ import annotations

import glob
import json
import os
import pathlib
import random
import shutil
import stat
import sys
import tempfile

STEPS = 40
#: What a tree begins with: text of files, None for folders, links as a list.
TREE = {
    "a.txt": "first",
    "b.txt": "second",
    "d": None,
    "d/one.txt": "1",
    "d/two.txt": "22",
    "d/deep": None,
    "d/deep/three.txt": "333",
    "empty": None,
    "link.txt": ["a.txt"],
    "linked": ["d/deep"],
    "dangling": ["nowhere"],
}
NAMES = [
    *TREE,
    *("new.txt", "new", "new/inner.txt", "new/more", "d/new.txt", "empty/x"),
    *("linked/three.txt", "linked/new.txt", "d/deep/../one.txt"),
]


def plant(home):
    """Make the tree that a program finds."""
    home.mkdir(parents=True)
    for name, what in TREE.items():
        if what is None:
            (home / name).mkdir()
        elif isinstance(what, list):
            (home / name).symlink_to(what[0])
        else:
            (home / name).write_text(what)


def kind(found):
    """What of a file's state does not depend on where it lies."""
    return stat.S_IFMT(found.st_mode), stat.S_IMODE(found.st_mode), found.st_size if stat.S_ISREG(found.st_mode) else 0


def write(path, mode, text="written"):
    with open(path, mode) as stream:
        stream.write(text)
        return stream.name == path, stream.tell()


def read(path):
    with open(path) as stream:
        return stream.read(), str(stream.name) == str(path)


def by_descriptor(path, flags, text=b"low"):
    descriptor = os.open(path, flags)
    try:
        if flags & (os.O_WRONLY | os.O_RDWR):
            return os.write(descriptor, text)
        return (
            sorted(os.listdir(descriptor)) if stat.S_ISDIR(os.fstat(descriptor).st_mode) else os.read(descriptor, 99).decode()
        )
    finally:
        os.close(descriptor)


def in_folder(folder, act):
    """Something with a descriptor of the folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        return act(descriptor)
    finally:
        os.close(descriptor)


def entries(path):
    with os.scandir(path) as found:
        return sorted((e.name, e.is_dir(), e.is_file(), e.is_symlink(), e.is_dir(follow_symlinks=False), e.path) for e in found)


def temporary(folder):
    with tempfile.TemporaryDirectory(dir=folder) as made:
        write(os.path.join(made, "x"), "w")
        os.mkdir(os.path.join(made, "y"))
        names = sorted(os.listdir(made))
    return names, os.path.exists(made)


def named_temporary(folder):
    with tempfile.NamedTemporaryFile("w+", dir=folder, suffix=".tmp") as stream:
        stream.write("x")
        stream.flush()
        size = os.path.getsize(stream.name)
    return size, os.path.exists(stream.name)


def nameless(folder):
    with tempfile.TemporaryFile(dir=folder) as stream:
        return stream.write(b"abc")


def walked(top):
    return sorted((base, sorted(folders), sorted(files)) for base, folders, files in os.walk(top))


def inside(folder, act):
    """Something in another working directory."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        return os.path.relpath(os.getcwd(), before), act()
    finally:
        os.chdir(before)


#: Looked up when they are called: before, nothing is led anywhere.
ONE = {
    "open r": read,
    "open w": lambda p: write(p, "w"),
    "open a": lambda p: write(p, "a"),
    "open x": lambda p: write(p, "x"),
    "open r+": lambda p: write(p, "r+"),
    "open rb+": lambda p: write(p, "rb+", b"bytes"),
    "open unbuffered": lambda p: open(p, "wb", 0).close(),
    "os.open r": lambda p: by_descriptor(p, os.O_RDONLY),
    "os.open w": lambda p: by_descriptor(p, os.O_WRONLY),
    "os.open create": lambda p: by_descriptor(p, os.O_WRONLY | os.O_CREAT),
    "os.open truncate": lambda p: by_descriptor(p, os.O_RDWR | os.O_TRUNC),
    "os.open exclusive": lambda p: by_descriptor(p, os.O_WRONLY | os.O_CREAT | os.O_EXCL),
    "stat": lambda p: kind(os.stat(p)),
    "lstat": lambda p: kind(os.lstat(p)),
    "bytes": lambda p: kind(os.stat(os.fsencode(p))),
    "exists": lambda p: (os.path.exists(p), os.path.lexists(p), os.path.isfile(p), os.path.isdir(p), os.path.islink(p)),
    "size": lambda p: os.path.getsize(p),
    "access": lambda p: (os.access(p, os.R_OK), os.access(p, os.W_OK)),
    "readlink": lambda p: os.readlink(p),
    "realpath": lambda p: os.path.relpath(os.path.realpath(p)),
    "listdir": lambda p: sorted(os.listdir(p)),
    "listdir bytes": lambda p: sorted(map(os.fsdecode, os.listdir(os.fsencode(p)))),
    "scandir": entries,
    "walk": walked,
    "mkdir": lambda p: os.mkdir(p),
    "mkdir mode": lambda p: os.mkdir(p, 0o700),
    "makedirs": lambda p: os.makedirs(p + "/far/away"),
    "makedirs again": lambda p: os.makedirs(p, exist_ok=True),
    "unlink": lambda p: os.unlink(p),
    "remove": lambda p: os.remove(p),
    "rmdir": lambda p: os.rmdir(p),
    "removedirs": lambda p: os.removedirs(p),
    "truncate": lambda p: os.truncate(p, 2),
    "chmod": lambda p: os.chmod(p, 0o640 if os.path.isfile(p) else 0o750),
    "utime": lambda p: (os.utime(p, (1, 2)), os.stat(p).st_mtime)[1],
    "rmtree": lambda p: shutil.rmtree(p),
    "rmtree at ease": lambda p: shutil.rmtree(p, ignore_errors=True),
    "temporary": temporary,
    "named temporary": named_temporary,
    "nameless": nameless,
    "mkstemp": lambda p: os.unlink(tempfile.mkstemp(dir=p)[1]),
    "glob": lambda p: sorted(glob.glob(p + "/**", recursive=True)),
    "glob in folder": lambda p: sorted(glob.glob("*", root_dir=p)),
    "Path.read_text": lambda p: pathlib.Path(p).read_text(),
    "Path.write_text": lambda p: pathlib.Path(p).write_text("path"),
    "Path.touch": lambda p: pathlib.Path(p).touch(),
    "Path.iterdir": lambda p: sorted(map(str, pathlib.Path(p).iterdir())),
    "Path.rglob": lambda p: sorted(map(str, pathlib.Path(p).rglob("*"))),
    "Path.mkdir": lambda p: pathlib.Path(p).mkdir(parents=True, exist_ok=True),
    "Path.unlink": lambda p: pathlib.Path(p).unlink(missing_ok=True),
    "Path.resolve": lambda p: os.path.relpath(pathlib.Path(p).resolve()),
    "chdir": lambda p: inside(p, lambda: (sorted(os.listdir()), write("here.txt", "w"), os.path.exists("here.txt"))),
    "dir_fd open": lambda p: in_folder(p, lambda d: os.close(os.open("within", os.O_CREAT | os.O_WRONLY, dir_fd=d))),
    "dir_fd stat": lambda p: in_folder(p, lambda d: kind(os.stat("one.txt", dir_fd=d))),
    "dir_fd mkdir": lambda p: in_folder(p, lambda d: os.mkdir("made", dir_fd=d)),
    "dir_fd unlink": lambda p: in_folder(p, lambda d: os.unlink("one.txt", dir_fd=d)),
    "dir_fd rmdir": lambda p: in_folder(p, lambda d: os.rmdir("made", dir_fd=d)),
    "dir_fd rename": lambda p: in_folder(p, lambda d: os.rename("two.txt", "moved.txt", src_dir_fd=d, dst_dir_fd=d)),
    "dir_fd scandir": lambda p: in_folder(p, lambda d: sorted(e.name for e in os.scandir(d))),
}
TWO = {
    "rename": lambda p, q: os.rename(p, q),
    "replace": lambda p, q: os.replace(p, q),
    "Path.rename": lambda p, q: str(pathlib.Path(p).rename(q)),
    "link": lambda p, q: os.link(p, q),
    "symlink": lambda p, q: os.symlink(p, q),
    "shutil.move": lambda p, q: str(shutil.move(p, q)),
    "shutil.copy": lambda p, q: shutil.copy(p, q),
    "shutil.copy2": lambda p, q: shutil.copy2(p, q),
    "copytree": lambda p, q: copied(p, q),
    "copytree into": lambda p, q: copied(p, q, dirs_exist_ok=True),
    "samefile": lambda p, q: os.path.samefile(p, q),
}


def copied(*paths, **options):
    """A copy of a tree, unless it would be copied into itself for ever."""
    source, target = (os.path.join(os.path.realpath(path), "") for path in paths)
    return None if target.startswith(source) else shutil.copytree(*paths, symlinks=True, **options)


def outcome(act, *paths):
    """What is given, or what is raised."""
    try:
        return act(*paths)
    except OSError as error:
        return [type(error).__name__, error.errno, "scratch" in str(error)]
    except shutil.Error:
        return ["shutil.Error"]


def snapshot(top):
    """All that can be seen of a tree."""
    found = []
    for base, folders, files in os.walk(top):
        for name in sorted([*folders, *files]):
            path = os.path.join(base, name)
            content = read(path)[0] if os.path.isfile(path) else os.readlink(path) if os.path.islink(path) else None
            found.append((path, *kind(os.lstat(path)), content))
    return sorted(found, key=str)


def main(base, scratch):
    if scratch:
        from dllint.diagnose.trials.scratch import keep_writes_apart

        keep_writes_apart(pathlib.Path(scratch), (base,))
    for home in sorted(pathlib.Path(base).iterdir()):
        os.chdir(home)
        chance = random.Random(home.name)
        # Names of temporary files are to be the same.
        tempfile._name_sequence = iter([f"t{number}" for number in range(10 * STEPS)])
        for _ in range(STEPS):
            if chance.random() < 0.25:
                name, paths = chance.choice(sorted(TWO)), chance.sample(NAMES, 2)
                act = TWO[name]
            else:
                name, paths = chance.choice(sorted(ONE)), [chance.choice(NAMES)]
                act = ONE[name]
            print(json.dumps([home.name, name, paths, outcome(act, *paths)]))
        print(json.dumps([home.name, "all", [], snapshot(".")]))


if __name__ == "__main__":
    main(*sys.argv[1:])
