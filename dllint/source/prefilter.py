"""May a file matter at all? Decided on its import lines, before anything is parsed."""

from __future__ import annotations

import re
import sys
from enum import Enum

from dllint.source.fragment import is_keras_fragment

# fmt: off
#: Packages whose use makes a file worth analysing.
FRAMEWORKS = frozenset({
    "torch", "torchvision", "torchaudio", "torchtext", "torchmetrics", "torch_geometric", "pytorch_lightning",
    "lightning", "ignite", "fastai", "timm", "einops", "monai", "kornia", "segmentation_models_pytorch", "keras",
    "tf_keras", "keras_core", "keras_cv", "keras_hub", "keras_nlp", "keras_tuner", "tensorflow", "tensorflow_addons",
    "tensorflow_datasets", "tensorflow_hub", "tensorflow_probability", "transformers", "diffusers", "accelerate", "peft",
    "datasets", "sentence_transformers",
})
#: Packages that neither are nor hand on a framework.
HARMLESS = sys.stdlib_module_names | frozenset({
    "setuptools", "pkg_resources", "packaging", "pytest", "hypothesis", "click", "typer", "rich", "tqdm", "yaml", "toml",
    "tomli", "requests", "urllib3", "bs4", "lxml", "jinja2", "flask", "fastapi", "django", "sqlalchemy", "pydantic",
    "attr", "attrs", "six", "typing_extensions", "matplotlib", "seaborn", "plotly", "pandas", "PIL", "cv2", "docutils",
    "sphinx", "psutil", "regex", "filelock", "boto3", "botocore", "git", "github", "docopt", "colorama", "tabulate",
})
# fmt: on
_IMPORT = re.compile(
    r"(?:^|[;:\r])[ \t\f]*"
    r"(?:import[ \t\f]+(?P<names>[^#\r\n;]+)|from[ \t\f]*(?P<source>\.*[ \t\f]*[\w.]*)[ \t\f\\\r\n]+import\b)",
    re.MULTILINE,
)
_UNUSUAL_IMPORT = re.compile(r"\b__import__\b|\bimport_module\b|\b(?:import|from)[ \t\f]*\\")


class Relevance(Enum):
    """``YES``: imports a framework. ``MAYBE``: imports something that may reach one. ``NO``: cannot matter."""

    YES = "yes"
    MAYBE = "maybe"
    NO = "no"


def relevance(text: str, harmless: frozenset[str] = HARMLESS) -> Relevance:
    """Whether a file may hold deep-learning code.

    Only a file that imports nothing but ``harmless`` packages and does not read like Keras is ``NO``: relative imports,
    modules of the project and unknown packages may hand a framework on. What only looks like an import (in a docstring)
    counts as one.
    """
    found = Relevance.NO
    for match in _IMPORT.finditer(text):
        packages = _packages(match)
        if not FRAMEWORKS.isdisjoint(packages):
            return Relevance.YES
        if not harmless.issuperset(packages):
            found = Relevance.MAYBE
    if found is Relevance.NO and (_UNUSUAL_IMPORT.search(text) or is_keras_fragment(text)):
        return Relevance.MAYBE
    return found


def _packages(match: re.Match[str]) -> list[str]:
    source = match["source"]
    if source is not None:
        return [source.strip().partition(".")[0]]
    return [name.split()[0].partition(".")[0] for name in match["names"].split(",") if name.split()]
