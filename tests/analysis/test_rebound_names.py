"""A name that a file binds to something else than one import stands for no library that rules may tell of."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

_USES = {
    "at the top": "x = {tf}.placeholder({tf}.float32, [None, 3])\n",
    "in a function": "def build():\n    return {tf}.placeholder({tf}.float32, [None, 3])\n",
    "in a method": "class Net:\n    def build(self):\n        return {tf}.placeholder({tf}.float32, [None, 3])\n",
}
_IMPORT = "import tensorflow as {tf}\n"
_REBOUND = {
    "assignment": _IMPORT + "{tf} = {tf}.compat.v1\n",
    "condition": _IMPORT + "if OLD:\n    {tf} = {tf}.compat.v1\n",
    "handler": _IMPORT + "try:\n    {tf} = {tf}.compat.v1\nexcept AttributeError:\n    pass\n",
    "annotation": _IMPORT + "{tf}: object = {tf}.compat.v1\n",
    "tuple": _IMPORT + "{tf}, other = {tf}.compat.v1, 3\n",
    "expression": _IMPORT + "print({tf} := {tf}.compat.v1)\n",
    "loop": _IMPORT + "for {tf} in modules():\n    pass\n",
    "context": _IMPORT + "with chosen() as {tf}:\n    pass\n",
    "global": _IMPORT + "def choose():\n    global {tf}\n    {tf} = {tf}.compat.v1\n",
    "global in a method": _IMPORT + "class Old:\n    def choose(self):\n        global {tf}\n        {tf} = {tf}.compat.v1\n",
    "handler's error": _IMPORT + "try:\n    run()\nexcept OSError as {tf}:\n    pass\n",
    "class": _IMPORT + "class {tf}:\n    pass\n",
    "two imports": "if OLD:\n    import tensorflow as {tf}\nelse:\n    import tensorflow.compat.v1 as {tf}\n",
    "import that fails": "try:\n    import tensorflow.compat.v1 as {tf}\nexcept ImportError:\n    import tensorflow as {tf}\n",
    "absent": "try:\n    import tensorflow as {tf}\nexcept ImportError:\n    {tf} = None\n"
    "if {tf}:\n    {tf} = {tf}.compat.v1\n",
}
_KEPT = {
    "import": _IMPORT,
    "None where it fails": "try:\n    import tensorflow as {tf}\nexcept ImportError:\n    {tf} = None\n",
    "global import": "def load():\n    global {tf}\n    import tensorflow as {tf}\n",
    "twice the same": _IMPORT + "def other():\n    import tensorflow as {tf}\n    return {tf}\n",
    "local of another function": _IMPORT + "def other():\n    {tf} = chosen()\n    return {tf}\n",
    "parameter of another function": _IMPORT + "def other({tf}):\n    return {tf}.float32\n",
    "in an unbound comprehension": _IMPORT + "def other():\n    return [{tf} for {tf} in modules()]\n",
}


@pytest.mark.parametrize("use", _USES)
@pytest.mark.parametrize("name", ["tf", "flow"])
@pytest.mark.parametrize("binding", _REBOUND)
def test_a_name_that_is_bound_again_is_left_alone(binding: str, name: str, use: str) -> None:
    text = (_REBOUND[binding] + _USES[use]).replace("{tf}", name)
    assert not any(finding.code == "DLA102" for finding in findings(text, today=True))


@pytest.mark.parametrize("use", _USES)
@pytest.mark.parametrize("name", ["tf", "flow"])
@pytest.mark.parametrize("binding", _KEPT)
def test_a_name_of_one_import_is_followed(binding: str, name: str, use: str) -> None:
    text = (_KEPT[binding] + _USES[use]).replace("{tf}", name)
    assert any(finding.code == "DLA102" for finding in findings(text, today=True))


@pytest.mark.parametrize("shadowed", ["def own({tf}):\n    return {use}", "def own():\n    {tf} = chosen()\n    return {use}"])
def test_a_local_name_hides_the_import_in_its_function(shadowed: str) -> None:
    text = "import tensorflow as tf\n" + shadowed.replace("{tf}", "tf").replace("{use}", "tf.placeholder(3)\n")
    assert not any(finding.code == "DLA102" for finding in findings(text, today=True))
