"""The classes of transformers that choose a model by its configuration: ``AutoModel.from_config(config)``.

The library finds the model in tables of names by the kind of the configuration, which it loads one by one to compare. The same
tables are read here from its source, and only the model that they name is.
"""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.ir.values import Arguments, DictVal, Value

_HOME: Final = "transformers.models.auto"
#: The table in ``modeling_auto`` for each class.
TABLES: Final = {
    "AutoModel": "MODEL_MAPPING_NAMES",
    "AutoModelForCausalLM": "MODEL_FOR_CAUSAL_LM_MAPPING_NAMES",
    "AutoModelForImageClassification": "MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES",
    "AutoModelForImageTextToText": "MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES",
    "AutoModelForMaskedLM": "MODEL_FOR_MASKED_LM_MAPPING_NAMES",
    "AutoModelForQuestionAnswering": "MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES",
    "AutoModelForSeq2SeqLM": "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES",
    "AutoModelForSequenceClassification": "MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES",
    "AutoModelForTokenClassification": "MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES",
}
#: Where the source defines the classes, and hands them on.
DESCRIBED: Final = {
    f"{home}.{name}": f"transformers.{name}"
    for name in TABLES
    for home in (_HOME, f"{_HOME}.modeling_auto", "transformers.models")
}


def _register(name: str, table: str) -> None:
    LIBRARY_BASES[f"transformers.{name}"] = ()

    @handler(f"transformers.{name}.from_config")
    def from_config(machine: Machine, _: Value, arguments: Arguments) -> Value:
        """The model of a configuration; further options say how its weights are kept."""
        config = arguments.args[0] if arguments.args else arguments.kwargs.get("config", Unknown("no-argument", "config"))
        kind, names = machine.getattr(config, "model_type"), machine.from_source(f"{_HOME}.modeling_auto.{table}")
        found = names.items.get(kind) if isinstance(names, DictVal) and isinstance(kind, str) else None
        if not isinstance(found, str):
            return machine.unknown("dynamic-argument", f"{name}.from_config")
        return machine.call(machine.from_source(f"transformers.{found}"), Arguments((config,)))


for _name, _table in TABLES.items():
    _register(_name, _table)
