"""Arrays and tables that lie beside the code have the shapes and columns that numpy and pandas read."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.lower.document import lower_document
from dllint.source.data.heads import array_head, columns
from dllint.source.document import Document
from dllint.source.workspace import Workspace
from tests.lower.test_configurations import plain

TYPES = ("float32", "float64", "int64", "int32", "uint8", "bool", "complex64", "float16", ">f4", "<i2")


def attributes(root: Path, source: str):
    found = lower_document(Document.from_text(root / "train.py", source), Workspace([root]))
    assert found.failures == []
    return found.module.attrs


@pytest.mark.parametrize("seed", range(4))
def test_arrays_have_the_shape_and_type_of_their_header(seed, tmp_path):
    random = Random(seed)
    for kind in TYPES:
        shape = tuple(random.randrange(5) for _ in range(random.randrange(4)))
        array = np.zeros(shape, kind)
        np.save(tmp_path / "x.npy", np.asfortranarray(array) if random.random() < 0.5 and shape else array)
        found = attributes(tmp_path, "import numpy as np\nx = np.load('x.npy')\n")["x"]
        assert isinstance(found, TensorVal)
        assert (found.type.shape, found.type.dtype.name) == (shape, array.dtype.name)


def test_what_is_no_array_of_numbers_has_no_type_or_is_unknown(tmp_path):
    np.save(tmp_path / "texts.npy", np.array(["a", "bc"]))
    np.save(tmp_path / "objects.npy", np.array([{}, None], dtype=object), allow_pickle=True)
    (tmp_path / "none.npy").write_bytes(b"\x93NUMPY\x01\x00")
    source = "import numpy as np\n" + "".join(
        f"{name.partition('.')[0]}_ = np.load('{name}')\n" for name in ("texts.npy", "objects.npy", "none.npy", "no.npy")
    )
    found = attributes(tmp_path, source)
    for name in ("texts_", "objects_"):
        assert found[name].type.shape == (2,)
        assert isinstance(found[name].type.dtype, Unknown)
    for name in ("none_", "no_"):
        assert isinstance(found[name], Unknown)


@pytest.mark.parametrize("writer", ["np.save('x.npy', np.zeros(4))", "np.savez('y.npz', a=1)", "frame.to_csv('x.csv')"])
def test_a_file_that_the_program_may_write_is_not_looked_at(writer, tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(3))
    source = f"import numpy as np\ndef prepare(frame):\n    {writer}\nx = np.load('x.npy')\n"
    assert isinstance(attributes(tmp_path, source)["x"], Unknown)


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (True, 2)}",
        "{'descr': '<f4', 'shape': (" + "1," * 40 + ")}",
        "(" * 1000 + ")" * 1000,
        "[1, 2]",
        "__import__('os').system('true')",
        "",
    ],
)
def test_headers_that_no_array_has(header):
    text = header.encode().ljust(118)
    assert array_head(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text) is None
    assert array_head(b"\x93NUMPY\x02\x00" + (2**31).to_bytes(4, "little") + text) is None


#: Tables; pandas names the columns of some otherwise than their first line does, so that nothing is known of these.
TABLES = {
    "a,b,c\n1,2,3\n4,5,6\n": True,
    "a b,c.d\n1,x\n": True,
    '\ufeffa,b\n"1,5",2\n': True,
    "a,a\n1,2\n": False,
    "a,,c\n1,2,3\n": False,
    "a,b\n0,1,2\n": False,
    "a,b\n": False,
    '"a,b",c\n1,2\n': False,
    "": False,
}


@pytest.mark.parametrize("text", TABLES)
def test_columns_are_those_that_pandas_reads(text, tmp_path):
    pandas = pytest.importorskip("pandas")
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    found = columns(text.encode())
    assert (found is not None) == TABLES[text]
    if found is not None:
        assert list(found) == list(pandas.read_csv(tmp_path / "t.csv").columns)


def test_features_of_a_table_are_counted(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "t.csv").write_text("a,b,c,label\n1,2,3,0\n4,5,6,1\n")
    head = "import pandas as pd\nimport torch\n"
    for read, use, width in (
        ("pd.read_csv('data/t.csv')", "df.drop(columns=['label']).values", 3),
        ("pd.read_csv('data/t.csv', encoding='utf-8')", "df.values", 4),
        ("pd.read_csv('data/t.csv')", "df[['a', 'b']].to_numpy()", 2),
    ):
        found = attributes(tmp_path, f"{head}df = {read}\nx = {use}\nn = df.shape[1]\n")
        assert plain(found["n"]) == 4
        assert found["x"].type.shape[1] == width
    for read in ("pd.read_csv('data/t.csv', sep=';')", "pd.read_csv('data/t.csv', header=None)", "pd.read_csv('data/no.csv')"):
        assert not isinstance(plain(attributes(tmp_path, f"{head}n = {read}.shape[1]\n")["n"]), int)
