"""Recall on seeded faults: edits of real model files that make the library's own forward pass fail.

python -m benchmarks.recall.seed_mutants [--seed 7] [--timm 40] [--torchvision 20] [--missed]

Model files of the installed timm and torchvision are edited at random (see :mod:`benchmarks.recall.mutations`). An edit
counts if the file's first model runs on the meta device before and raises in its forward pass after it. It is detected if
an error or warning of a tensor or loss rule stands on the edited line or on a line of the file that the traceback names.
Files that the labelled faults use are left out.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import json
import random
import sys
import tempfile
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks import results
from benchmarks.recall.mutations import Mutation, mutations
from benchmarks.recall.run import CHECK
from benchmarks.recall.score import STRONG, Runner, materialise

HERE = Path(__file__).parent
LABELLED = HERE / "dev.jsonl"
PER_FILE = 3
TRIES_PER_FILE = 12
BATCH = 2
#: Errors of a forward pass that a wrong shape gives.
SHAPE_ERRORS = (RuntimeError, ValueError, IndexError, TypeError)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A seeded fault: the edited file, where it was edited, the lines the traceback names, the error."""

    module: str
    mutation: Mutation
    file: Path
    lines: frozenset[int]
    error: str


def main() -> None:
    """Seed, check, print and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--timm", type=int, default=40, help="number of mutants")
    parser.add_argument("--torchvision", type=int, default=20, help="number of mutants")
    parser.add_argument("--missed", action="store_true", help="list what is not detected")
    parser.add_argument("--keep", type=Path, help="leave the edited files here")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(prefix="dlmutants") as temporary:
        folder = options.keep or Path(temporary).resolve()
        seeded: list[Mutant] = []
        for library in ("torchvision", "timm"):
            wanted = getattr(options, library)
            seeded += [] if not wanted else list(seed(library, wanted, random.Random(options.seed), folder))
        found = detected(seeded, folder)
    report(seeded, found, options)


def seed(library: str, wanted: int, choice: random.Random, folder: Path) -> Iterator[Mutant]:
    """Mutants of a library's model files, at most ``PER_FILE`` of one file."""
    if library == "torchvision":
        from dllint.dev.libraries.torchvision_import import import_torchvision

        root = Path(str(import_torchvision().__file__)).parent
    else:
        root = Path(str(importlib.import_module(library).__file__)).parent
    files = sorted(path for path in (root / "models").glob("*.py") if path.name[0] != "_" and not labelled(library, path))
    choice.shuffle(files)
    number = 0
    for file in files:
        for mutant in of_file(library, root, file, choice, folder):
            number += 1
            yield mutant
            if number == wanted:
                return


def labelled(library: str, path: Path) -> bool:
    """Whether the labels name a file of this library and name."""
    return f"{library}/models/{path.name}" in LABELLED.read_text(encoding="utf-8")


def of_file(library: str, root: Path, file: Path, choice: random.Random, folder: Path) -> Iterator[Mutant]:
    """The mutants of one file whose first model runs."""
    text = file.read_text(encoding="utf-8")
    name = f"{library}.models.{file.stem}"
    builder = first_model(text)
    if builder is None or isinstance(run(name, file, builder), Exception):
        return
    candidates = mutations(text)
    choice.shuffle(candidates)
    kept, kinds = 0, Counter[str]()
    for number, mutation in enumerate(candidates[:TRIES_PER_FILE]):
        if kept == PER_FILE:
            return
        row = {"path": f"models/{file.name}", "edit": list(mutation.edits)}
        edited = materialise(row, root, folder / f"{library}_{file.stem}_{number}" / library)
        if edited is None or kinds[mutation.kind]:
            continue
        outcome = run(name, edited, builder)
        if isinstance(outcome, SHAPE_ERRORS) and not isinstance(outcome, NotImplementedError):
            kept, kinds[mutation.kind] = kept + 1, 1
            frames = traceback.extract_tb(outcome.__traceback__)
            lines = frozenset(frame.lineno for frame in frames if frame.filename == str(edited) and frame.lineno)
            yield Mutant(name, mutation, edited, lines | {mutation.line}, str(outcome).split("\n")[0][:120])


def first_model(text: str) -> str | None:
    """The name of the first function that builds a model: registered, or with a parameter ``weights``."""
    for node in ast.parse(text).body:
        if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
            continue
        decorators = " ".join(map(ast.unparse, node.decorator_list))
        if "register_model" in decorators or "weights" in [a.arg for a in node.args.kwonlyargs]:
            return node.name
    return None


def run(name: str, file: Path, builder: str) -> Any:
    """The forward pass of a file's model on the meta device: its result, or the error it raises.

    An error of the constructor is no shape error of a forward pass; it comes back as ``NotImplementedError``.
    """
    import torch

    present = sys.modules.get(name)
    try:
        module = loaded(name, file)
        with torch.device("meta"):
            model = getattr(module, builder)(**({"init_weights": False} if builder in ("googlenet", "inception_v3") else {}))
    except Exception as error:
        return NotImplementedError(str(error))
    finally:
        if present is not None:
            sys.modules[name] = present
    size = getattr(model, "default_cfg", {}).get("input_size", (3, 224, 224))
    try:
        with torch.no_grad():
            return model.eval()(torch.empty(BATCH, *size, device="meta"))
    except Exception as error:
        return error


def loaded(name: str, file: Path) -> ModuleType:
    """The module of a file, under the name of the library's own."""
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    registry = sys.modules.get("torchvision.models._api")
    getattr(registry, "BUILTIN_MODELS", {}).clear()  # it takes no name twice
    spec.loader.exec_module(module)
    return module


def detected(seeded: list[Mutant], folder: Path) -> list[list[str]]:
    """Per mutant, the findings that tell it."""
    runner = Runner(CHECK, str(folder), 600)
    runner.run([str(mutant.file) for mutant in seeded])
    return [
        [
            f"{finding['code']}:{finding['row']}"
            for finding in runner.findings[str(mutant.file.resolve())]
            if finding["code"][:3] in ("DLT", "DLL") and finding["severity"] in STRONG and finding["row"] in mutant.lines
        ]
        for mutant in seeded
    ]


def report(seeded: list[Mutant], found: list[list[str]], options: argparse.Namespace) -> None:
    """The recall per kind and in all; the missed ones."""
    kinds: dict[str, list[bool]] = defaultdict(list)
    for mutant, findings in zip(seeded, found, strict=True):
        kinds[mutant.mutation.kind].append(bool(findings))
        if options.missed and not findings:
            print(f"MISSED {mutant.file}\n   {mutant.mutation.kind} at {mutant.mutation.line}: {mutant.mutation.edits}")
            print(f"   {sorted(mutant.lines)} {mutant.error}")
    for kind, hits in sorted(kinds.items()):
        print(f"{kind:28} {sum(hits):3}/{len(hits)}")
    print(f"{'all':28} {sum(map(bool, found)):3}/{len(found)}")
    rows = [
        {"module": m.module, "kind": m.mutation.kind, "line": m.mutation.line, "error": m.error, "found": hits}
        for m, hits in zip(seeded, found, strict=True)
    ]
    figures = {
        "seed": options.seed,
        "mutants": len(found),
        "detected": sum(map(bool, found)),
        "kinds": {kind: {"detected": sum(hits), "mutants": len(hits)} for kind, hits in sorted(kinds.items())},
        "versions": {name: importlib.import_module(name).__version__ for name in ("torch", "timm", "torchvision")},
        "rows": rows,
    }
    print("written:", results.write("recall-seeded", json.loads(json.dumps(figures))).name)


if __name__ == "__main__":
    main()
