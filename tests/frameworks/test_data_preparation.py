"""What programs that read and prepare data leave in their names, compared with runs."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import ListVal
from dllint.lower.document import lower_document
from dllint.source.document import Document
from tests.lower.against_runs import refuted

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
for _name in ("torch", "keras", "tensorflow", "sklearn"):
    pytest.importorskip(_name)
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    columns = {"a": [1, 2, 3, 4], "b": [0.5, 1.5, 2.5, 3.5], "c": list("xyxy"), "label": [0, 1, 0, 1]}
    pd.DataFrame(columns).to_csv("t.csv", index=False)
    np.save("x.npy", np.zeros((4, 3), np.float32))
    np.savez("z.npz", x=np.zeros((4, 3)), y=np.arange(4))
    np.savetxt("m.txt", np.zeros((4, 3)))


def values(text: str) -> dict:
    lowered = lower_document(Document.from_text(Path("program.py"), text))
    assert lowered.failures == []
    return lowered.module.attrs


def program(made: str, forms: list[str]) -> str:
    return made + "".join(f"y{n} = {form}\n" for n, form in enumerate(forms))


ITEMS = ("np.ones((2, 3), dtype=np.float32)", "np.ones((2, 3))", "np.arange(6).reshape(2, 3)", "[[1, 2, 3], [4, 5, 6]]",
         "[[0.5, 1, 2], [3, 4, 5]]", "np.ones((2, 3)) > 0")  # fmt: skip
MAKERS = ("np.array([a, b])", "np.asarray([a, b])", "np.stack([a, b])", "np.concatenate([a, b], axis=1)", "np.vstack((a, b))",
          "np.asarray(a, dtype=np.float32)", "np.ascontiguousarray([a, b])", "np.array((a, b)).astype(np.float32)",
          "np.array([x for x in (a, b)])")  # fmt: skip


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations_with_replacement(ITEMS, 2)))
def test_arrays_of_arrays_and_lists(first, second):
    text = program(f"import numpy as np\na = {first}\nb = {second}\n", list(MAKERS))
    assert refuted(text) == []
    found = values(text)
    assert all(isinstance(found[f"y{n}"].shape, tuple) for n in range(len(MAKERS)))


SCALARS = ("torch.ones(())", "torch.tensor(3)", "torch.tensor(2.0, dtype=torch.float64)", "1", "0.5", "True", "np.float32(2)")


@pytest.mark.parametrize(("first", "second"), list(itertools.product(SCALARS, SCALARS)))
def test_tensors_of_scalars(first, second):
    forms = ["torch.tensor([a, b])", "torch.tensor([[a], [b]])", "torch.tensor([a, b, 1])"]
    if "np." not in first + second:
        assert refuted(program(f"import numpy as np\nimport torch\na = {first}\nb = {second}\n", forms)) == []


@pytest.mark.parametrize("read", ["float(line)", "int(float(line))", "float(line) * 2", "len(line)"])
@pytest.mark.parametrize("form", ["np.array(row)", "np.asarray(row, np.float32)", "torch.tensor(row)", "np.array(row[1:])"])
def test_vectors_of_lists_of_unknown_length(read, form):
    loop = f"row = []\nfor line in open('numbers.txt'):\n    row.append({read})\ny = {form}\n"
    listed = f"row = [{read} for line in open('numbers.txt')]\ny = {form}\n"
    with open("numbers.txt", "w", encoding="utf-8") as file:
        file.write("1.0\n2.0\n3.0\n")
    for text in (loop, listed):
        assert refuted(f"import numpy as np\nimport torch\n{text}") == []
        found = values(f"import numpy as np\nimport torch\n{text}")["y"]
        assert isinstance(found, TensorVal)
        assert isinstance(found.shape, Unknown) or len(found.shape) == 1
    assert len(found.shape) == 1


COLUMNS = ("df['a']", "df['b']", "df.a", "df['label']", "df.loc[:, 'b']", "df['a'].astype('float32')")


@pytest.mark.parametrize("column", COLUMNS)
def test_columns_as_lists(column):
    made = f"import numpy as np\nimport pandas as pd\ndf = pd.read_csv('t.csv')\nrow = {column}.tolist()\n"
    forms = ["isinstance(row, list)", "row + row", "row + [1]", "np.array(row)", "np.array(row + [0])", "len(row)", "row[:2]",
             "np.array([v * 2 for v in row])", "[v for v in row if v > 1]", f"{column}.to_list()"]  # fmt: skip
    assert refuted(program(made, forms)) == []
    found = values(program(made, forms))
    assert found["y0"] is not False
    if "df.a" not in column:  # attributes of tables are not followed
        assert isinstance(found["row"], ListVal)
        assert len(found["y3"].shape) == 1


TABLES = (
    "df.values", "df[['a', 'b']].to_numpy()", "df.iloc[:, :2].values", "df.drop('c', axis=1).values", "df.shape", "len(df)",
    "df['c'].map({'x': 0, 'y': 1}).values", "df['c'].astype('category').cat.codes.values", "pd.get_dummies(df['c']).values",
    "df.loc[df['a'] > 2, ['a', 'b']].values", "df['b'].values.astype(np.float32)", "df['label'].values.reshape(-1, 1)",
    "df.select_dtypes('number').values", "df.sample(frac=1).values", "pd.concat([df, df]).values", "df.iloc[0].values",
)  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
def test_arrays_of_tables(table):
    made = "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('t.csv')\n"
    assert refuted(program(made, [table, f"({table})"])) == []


SCALERS = (
    "StandardScaler()",
    "MinMaxScaler((-1, 1))",
    "RobustScaler()",
    "Normalizer()",
    "MaxAbsScaler()",
    "OrdinalEncoder()",
    "Binarizer()",
)


@pytest.mark.parametrize("scaler", SCALERS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64"])
def test_scalers_keep_the_type(scaler, dtype):
    made = (
        "import numpy as np\nfrom sklearn.preprocessing import *\nfrom sklearn.model_selection import train_test_split\n"
        f"x = np.arange(12).reshape(6, 2).astype(np.{dtype})\ns = {scaler}\n"
    )
    forms = ["s.fit_transform(x)", "s.fit(x).transform(x)", "train_test_split(x, test_size=0.5)", "y2[0]", "scale(x)"]
    assert refuted(program(made, forms)) == []


CHAINS = (
    "from_tensor_slices((x, y)).shuffle(9).batch(4)",
    "from_tensor_slices(x).batch(3, drop_remainder=True).map(lambda t: t * 2)",
    "from_tensors(x)", "from_tensors((x, y)).repeat(2)", "from_tensor_slices({'x': x}).batch(2).prefetch(1)",
    "from_tensor_slices(x).batch(4).as_numpy_iterator()", "from_tensor_slices((x, y)).as_numpy_iterator()",
    "from_tensor_slices(y).batch(2).unbatch().batch(5).take(1)", "range(10).batch(3)",
)  # fmt: skip


@pytest.mark.parametrize("chain", CHAINS)
def test_elements_of_data_sets(chain):
    made = (
        "import numpy as np\nimport tensorflow as tf\nx = np.ones((9, 4), dtype=np.float32)\ny = np.arange(9)\n"
        f"data = tf.data.Dataset.{chain}\n"
    )
    assert refuted(f"{made}first = next(iter(data))\nfor each in data:\n    last = each\n    break\n") == []


FILES = ("np.load('x.npy')", "np.load('z.npz')", "np.load('z.npz')['x']", "np.loadtxt('m.txt')", "np.genfromtxt('m.txt')",
         "np.load('x.npy').shape", "np.load('x.npy').astype(np.float64)", "np.loadtxt('m.txt')[:, 0]")  # fmt: skip


@pytest.mark.parametrize("call", FILES)
def test_arrays_of_files(call):
    assert refuted(f"import numpy as np\nx = {call}\nlast = x\n") == []


@pytest.mark.parametrize("labels", ["[0, 2, 1]", "np.array([0, 1])", "np.array([[0], [1]])", "y"])
@pytest.mark.parametrize("more", ["", ", 3", ", num_classes=4"])
def test_one_hot_rows(labels, more):
    made = "import keras\nimport numpy as np\ny = np.arange(3)\n"
    assert refuted(f"{made}z = keras.utils.to_categorical({labels}{more})\nw = z.argmax(-1)\n") == []
