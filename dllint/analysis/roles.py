"""Roles of constructor parameters, by their names: which size of which layer a parameter like ``num_classes`` stands for."""

from __future__ import annotations

from typing import Final, NamedTuple


class Role(NamedTuple):
    """The size that a parameter stands for: the canonical arguments that have it, of the first layer or of the last one that
    has such an argument; ``what`` for the reader; ``is_counted``: what it counts is fixed by the labels, so that no other size
    serves; ``is_outermost``: of all layers with weights that is the first or last one."""

    arguments: tuple[str, ...]
    is_last: bool
    what: str
    is_counted: bool = False
    is_outermost: bool = True


_TAKES: Final = ("in_features", "in_channels", "input_size")
_GIVES: Final = ("out_features", "out_channels")
_INPUT: Final = Role(_TAKES, False, "takes")
_OUTPUT: Final = Role(_GIVES, True, "gives")
_CLASSES: Final = Role(_GIVES, True, "gives", is_counted=True)
_VOCABULARY: Final = Role(("num_embeddings",), False, "has rows for", is_outermost=False)
_NAMES: Final = {
    _INPUT: (
        "in_channels", "in_chans", "in_ch", "in_dim", "in_features", "input_dim", "input_size", "input_channels", "n_channels",
        "img_channels", "image_channels", "channels_in", "c_in", "n_features", "num_features",
    ),
    _CLASSES: ("num_classes", "n_classes", "nclass", "nclasses", "num_labels", "n_labels"),
    _OUTPUT: (
        "out_channels", "out_chans", "out_ch", "out_dim", "out_features", "output_dim", "output_size", "output_channels",
        "n_outputs", "num_outputs", "n_actions", "num_actions", "c_out",
    ),
    _VOCABULARY: ("vocab_size", "n_vocab", "num_embeddings", "ntoken", "num_tokens"),
}  # fmt: skip
#: The role of a parameter, by its name.
ROLES: Final = {name: role for role, names in _NAMES.items() for name in names}
