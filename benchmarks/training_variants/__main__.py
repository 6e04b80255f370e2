"""Check programs whose authors had not read the rules, each with one fault of training, and their mended twins.

python -m benchmarks.training_variants [--set 1|2|3|4|5|6|7] [--only CODES] [--missed] [--run]

A fault is found if its code, or one that the table of its set takes for equal, is told on one of its lines. What rules of
training say of a twin needs a verdict in ``verdicts.tsv``. Writes ``results/training-variants.json`` (of the second set
``training-variants-2.json``, and so on), unless ``--only`` is given; the exit status is 1 if a
finding on a twin has no verdict. ``--run`` runs the programs instead (some 15 minutes of CPU time; torch, Keras and
scikit-learn are needed): the exit status is 1 if a fault does not raise or is not silent as the table says, or a twin raises.
What needs a GPU, a launcher or a library that the table names is not run.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks import results
from benchmarks.training_variants.checking import FAMILIES, TABLES, Told, Variant, findings, is_found, variants, verdicts
from benchmarks.training_variants.running import refuted

Figures = dict[str, Any]
#: The result file of each set of programs.
RESULTS = {number: f"training-variants-{number}" if number > 1 else "training-variants" for number in TABLES}


def main() -> int:
    """Check, print and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", type=int, choices=sorted(TABLES), default=1, help="the set of programs (1)")
    parser.add_argument("--only", default="", help="codes of faults, comma-separated; nothing is written then")
    parser.add_argument("--missed", action="store_true", help="list what rules of training say of the faults that are missed")
    parser.add_argument("--run", action="store_true", help="run the programs instead of checking them")
    options = parser.parse_args()
    only = {code for code in options.only.split(",") if code}
    chosen = [variant for variant in variants(TABLES[options.set]) if not only or variant.code in only]
    if options.run:
        return int(sum(is_refuted(variant) for variant in chosen if not variant.seen.startswith("not run")) > 0)
    faults = {variant: findings(variant.program("fault")) for variant in chosen}
    twins = {variant: findings(variant.program("twin")) for variant in chosen}
    figures = measured(faults, twins, verdicts())
    print(json.dumps(figures, indent=1))
    for variant, said in faults.items() if options.missed else ():
        if is_found(variant, said) is None:
            print(f"{variant.code} {variant.name}: {sorted(variant.places)}", *map(shown, _of(FAMILIES, said)), sep="\n    ")
    if not only:
        print("written:", results.write(RESULTS[options.set], figures).name)
    return int("not judged" in figures["findings on twins"])


def is_refuted(variant: Variant) -> bool:
    """Whether a run contradicts the table about a variant; printed either way."""
    wrong = refuted(variant)
    print(f"{variant.code} {variant.name}: {wrong or variant.effect}", flush=True)
    return bool(wrong)


def measured(
    faults: Mapping[Variant, Sequence[Told]],
    twins: Mapping[Variant, Sequence[Told]],
    judged: Mapping[tuple[str, str, str, int, str], str],
    families: tuple[str, ...] = FAMILIES,
) -> Figures:
    """The share of faults found, by rule and by effect, and the findings of rules of these families on twins with verdicts."""
    hits = {variant: is_found(variant, said) for variant, said in faults.items()}
    on_twins = [
        {
            "code": variant.code,
            "variant": variant.name,
            "file": one.file,
            "line": one.line,
            "told": one.code,
            "severity": one.severity,
            "verdict": judged.get((variant.code, variant.name, one.file, one.line, one.code), "not judged"),
        }
        for variant, said in twins.items()
        for one in _of(families, said)
    ]
    codes = dict.fromkeys(variant.code for variant in hits)
    return {
        **_share(hits),
        "by effect": {
            effect: _share({variant: hit for variant, hit in hits.items() if variant.effect == effect})
            for effect in ("raises", "silent")
        },
        "severities of these": dict(Counter(hit.severity for hit in hits.values() if hit is not None)),
        "missed": [f"{variant.code} {variant.name}" for variant, hit in hits.items() if hit is None],
        "of these told on another line": [
            f"{variant.code} {variant.name}"
            for variant, hit in hits.items()
            if hit is None and any(one.code in variant.codes for one in faults[variant])
        ],
        "findings on twins": dict(Counter(str(row["verdict"]) for row in on_twins)),
        "twins": on_twins,
        "rules": {code: _share({variant: hit for variant, hit in hits.items() if variant.code == code}) for code in codes},
    }


def _share(hits: Mapping[Variant, Told | None]) -> dict[str, int]:
    return {"faults": len(hits), "found": sum(hit is not None for hit in hits.values())}


def _of(families: tuple[str, ...], said: Iterable[Told]) -> list[Told]:
    return [one for one in said if one.code.startswith(families)]


def shown(one: Told) -> str:
    """A finding in one line."""
    return f"{one.file}:{one.line} {one.code} {one.severity}: {one.message}"


if __name__ == "__main__":
    raise SystemExit(main())
