"""Images that are decoded: TensorFlow decodes small ones, and what dllint says of the same call holds for them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from dllint.domains.lattice import Unknown
from tests.lower.tracing import lower, values

GIF = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
CALLS = (
    "decode_gif(data)", "decode_image(data)", "decode_image(data, channels=3)", "decode_image(data, 3)",
    "decode_image(data, expand_animations=False)", "decode_image(data, 3, tf.uint8, None, False)",
    "decode_image(data, channels=0, expand_animations=True)", "decode_png(data)", "decode_png(data, channels=3)",
    "decode_png(data, 1)", "decode_jpeg(data)", "decode_jpeg(data, channels=3)",
)  # fmt: skip


def _files(tf: Any) -> dict[str, bytes]:
    image = tf.zeros((4, 5, 3), tf.uint8)
    return {"png": tf.io.encode_png(image).numpy(), "jpeg": tf.io.encode_jpeg(image).numpy(), "gif": GIF}


@pytest.mark.oracle
@pytest.mark.parametrize(("home", "call"), list(itertools.product(("image", "io"), CALLS)))
def test_shapes_are_those_of_tensorflow(home: str, call: str) -> None:
    tf = pytest.importorskip("tensorflow")
    known = values(f"import tensorflow as tf\ndata = tf.io.read_file('image')\nout = tf.{home}.{call}\n")["out"].shape
    found = []
    for data in _files(tf).values():
        try:
            found.append(tuple(eval(f"tf.{home}.{call}", {"tf": tf, "data": data}).shape))
        except tf.errors.InvalidArgumentError:
            continue
    assert found
    for shape in found:
        assert isinstance(known, Unknown) or len(known) == len(shape)
        assert isinstance(known, Unknown) or not isinstance(known[-1], int) or known[-1] == shape[-1]
    assert not isinstance(known, Unknown) or len({len(shape) for shape in found}) > 1


@pytest.mark.parametrize("home", ["image", "io"])
@pytest.mark.parametrize("use", ["[0][:, :, 0]", "[0, :, :, 0]", "[..., 0]", "[0][:, :, 0][..., None]"])
def test_the_first_frame_of_an_animation_is_an_image(use: str, home: str) -> None:
    for call in ("decode_gif(data)", "decode_image(data)"):
        source = f"import tensorflow as tf\ndata = tf.io.read_file('mask.gif')\nout = tf.{home}.{call}{use}\n"
        assert [op for program in lower(source).programs for op in program.ops if op.faults] == []
