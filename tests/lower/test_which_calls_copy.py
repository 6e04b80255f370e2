"""Which functions and methods copy and which give views, in generated variants: the library is asked whether they share memory,
and what is written to the result is compared with runs."""

from __future__ import annotations

import pytest

from benchmarks.differential.claims import TensorClaim, claims
from dllint.ops.aliases import sharing
from tests.lower.against_runs import refuted

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")
pytestmark = pytest.mark.oracle

FULL = {"numpy": "np.full({}, 2.0)", "torch": "torch.full({}, 2.0, dtype=torch.float64)"}
#: Row by row, with the axes turned, with every second element, a vector, a matrix, with an axis of one.
LAYOUTS = ("(2, 3, 4)", "(2, 4, 3)|.swapaxes(1, 2)", "(2, 3, 8)|[:, :, ::2]", "(12,)", "(3, 3)", "(2, 1, 3)")
CALLS = {
    "numpy": """
        x.flatten() x.flatten('F') x.flatten(order='A') x.ravel() np.ravel(x) x.reshape(-1) np.reshape(x,-1)
        x.reshape(3,-1) x.copy() np.copy(x) x.astype('float64') x.astype('float32') x.astype('float64',copy=False)
        x.astype('float32',copy=False) np.asarray(x) np.asarray(x,'float32') np.asarray(x,copy=True)
        np.asanyarray(x) np.ascontiguousarray(x) np.array(x) np.array(x,copy=None) np.array(x,copy=False)
        np.array(x,'float32',copy=None) np.reshape(x,-1,copy=True) x.reshape(-1,copy=True) x.transpose()
        np.transpose(x) x.T x.swapaxes(0,-1) np.swapaxes(x,0,-1) np.moveaxis(x,0,-1) x.squeeze() np.squeeze(x)
        np.expand_dims(x,0) x[0] x[:1] x[[0]] x[x>1] x[None] np.atleast_1d(x) np.atleast_2d(x) np.atleast_3d(x)
        np.flip(x) np.flipud(x) np.rot90(x) np.diag(x) np.diag(x,1) np.broadcast_to(x,(2,*x.shape)) np.split(x,1)[0]
        np.tile(x,1) np.repeat(x,1) np.concatenate([x]) np.stack([x]) np.roll(x,0) np.float64(x) np.float32(x)
        np.take(x,[0]) x.take([0]) x.clip(0) np.tril(x) np.abs(x) np.conj(x) x.round() np.sort(x) np.nan_to_num(x)
        np.where(x>0,x,0) x.view() np.positive(x) np.squeeze(x,()) +x
    """,
    "torch": """
        x.flatten() torch.flatten(x) x.flatten(0,0) x.ravel() torch.ravel(x) x.reshape(-1) torch.reshape(x,(-1,))
        x.reshape(3,-1) x.contiguous() x.clone() torch.clone(x) x.detach() x.data x.view(x.shape)
        x.to(torch.float64) x.to(torch.float32) x.double() x.float() x.to(torch.float64,copy=True)
        x.type(torch.float64) x.type_as(x) x.cpu() torch.as_tensor(x) torch.asarray(x) torch.asarray(x,copy=True)
        x.transpose(0,-1) x.swapaxes(0,-1) x.movedim(0,-1) x.squeeze() x.unsqueeze(0) x[0] x[:1] x[[0]] x[x>1]
        x[None] x.flip(0) torch.diag(x) x.diagonal() x.expand(2,*x.shape) x.split(1)[0] x.chunk(1)[0] x.unbind()[0]
        x.repeat(1,1,1) x.tile(1) torch.cat([x]) torch.stack([x]) x.roll(0) x.narrow(0,0,1) x.select(0,0)
        x.index_select(0,torch.tensor([0])) x.unfold(0,1,1) x.real x.abs() x.conj() x.sort()[0] x.clamp(0) x.tril()
        x.positive() x.numpy() torch.atleast_1d(x) torch.cartesian_prod(x) x.mT x.unflatten(0,(1,-1))
        torch.from_numpy(x.numpy()) x.dropout(0.5) +x x.resolve_conj() x.view_as(x) x.reshape_as(x) x.expand_as(x)
        torch.nn.functional.dropout(x,0.0,False) torch.nn.Flatten()(x) torch.nn.Flatten(0)(x) torch.nn.Identity()(x)
    """,
}


def made(library: str, layout: str) -> str:
    shape, _, step = layout.partition("|")
    return FULL[library].format(shape) + step


def shares(x: object, y: object) -> bool:
    """Whether the library has put two arrays or tensors into the same memory."""
    x, y = (value.detach().numpy() if isinstance(value, torch.Tensor) else np.asarray(value) for value in (x, y))
    return bool(np.shares_memory(x, y))


def followed(text: str) -> bool | None:
    """Whether ``y`` is said to be ``x``, a view of it, or perhaps a view; ``None`` if nothing is known of it."""
    names = claims(text).after[-1]
    x, y = names["x"], names.get("y")
    assert isinstance(x, TensorClaim)
    if not isinstance(y, TensorClaim) or y.value.producer is None:
        return None
    return any(value is x.value for value in sharing(y.value))


def answers(library: str, call: str) -> list[tuple[str, bool, bool]]:
    """The programs that the library runs, with what it does and what is said."""
    found = []
    for layout in LAYOUTS:
        lines = f"x = {made(library, layout)}\ny = {call}\n"
        names: dict[str, object] = {"np": np, "torch": torch}
        try:
            exec(lines, names)
        except Exception:  # every library has errors of its own
            continue
        said = followed(f"import numpy as np\nimport torch\n{lines}")
        if said is not None:
            found.append((lines, shares(names["x"], names["y"]), said))
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("library", CALLS)
def test_views_are_said_to_be_views_and_copies_are_not(library: str) -> None:
    wrong, asked = [], 0
    for call in CALLS[library].split():
        found = answers(library, call)
        asked += bool(found)
        wrong += [f"a view: {lines}" for lines, is_view, said in found if is_view and not said]
        if any(said for _, _, said in found) and not any(is_view for _, is_view, _ in found):
            wrong.append(f"never a view: {call}")
    assert wrong == []
    assert asked > len(CALLS[library].split()) // 2


#: What the names have in them of those that copy, or do so for some layouts.
COPYING = ("flat", "ravel", "reshape", "copy", "clone", "[[0]]", "[x>1]", "+x", "diag", "asarray")
WRITES = {
    "numpy": ("y.fill(0)", "y[...] = 5", "np.exp(y, out=y)", "y += 5"),
    "torch": ("y.fill_(0)", "y[...] = 5", "torch.exp(y, out=y)", "y += 5"),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layout", LAYOUTS[:4])
@pytest.mark.parametrize("library", CALLS)
def test_what_is_written_to_a_copy_is_not_written_to_what_was_copied(library: str, layout: str) -> None:
    calls = [
        call for call in CALLS[library].split() if any(name in call for name in ("flat", "ravel", "reshape", "copy", "clone"))
    ]
    texts = [
        f"import numpy as np\nimport torch\nx = {made(library, layout)}\ny = {call}\n{write}\nz = x + 1\nw = y + 1\n"
        for number, call in enumerate(calls)
        for write in (WRITES[library][number % 4], WRITES[library][(number + 1) % 4])
    ]
    assert [wrong for text in texts for wrong in refuted(text)] == []


INDICES = ("[0]", "x > 1", "[0, 1], 1", "0", ":1", "np.array(0)", "np.array([1])", "torch.tensor(1)", "..., [0]")


@pytest.mark.parametrize("library", CALLS)
@pytest.mark.parametrize("index", INDICES)
def test_parts_that_are_copied_are_put_back(library: str, index: str) -> None:
    texts = [
        f"import numpy as np\nimport torch\nx = {made(library, '(3, 4)')}\n{change}\nz = x + 1\n"
        for change in (f"x[{index}] += 5", f"x[{index}] *= 0", f"y = x[{index}]\ny += 5", f"y = x[{index}]\ny[...] = 0")
        if library == "torch" or "torch" not in index
    ]
    assert [wrong for text in texts for wrong in refuted(text)] == []
