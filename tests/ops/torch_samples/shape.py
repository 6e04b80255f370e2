"""Shapes changed, axes moved, copies along axes."""

from dllint.domains.dtype import BOOL, FLOAT64, INT64
from tests.ops.harness import Case, Loose, Quiet, t

X, V, S = t(2, 3, 4), t(6), t()
OTHER = tuple(t(2, 3, 4, dtype=d) for d in (FLOAT64, INT64, BOOL))
TARGETS = ((X, 6, 4), (X, -1), (X, 2, -1), (X, 24), (X, 5, 5), (X, -1, 5), (X, -1, -1), (X, 2, 3, 4, 1), (S, 1), (S, 1, 1), (t(0, 3), 3, 0), (t(0, 3), -1, 3), (t(0, 3), -1, 0), (t(2, 0), 0), (X, 2, -3),
           *((x, 4, -1) for x in OTHER))  # fmt: skip

CASES = [
    Case("reshape", "torch.Tensor.reshape", "/self:x *shape", (*TARGETS, (X, (6, 4)), (X, (2, -1)))),
    Case("reshape", "torch.reshape", "input:x shape", ((X, (6, 4)), (S, ()), (t(0), (0, 3)), (X, (5, -1)), (t(2, 3, dtype=FLOAT64), (-1,)))),
    Case("view", "torch.Tensor.view", "/self:x *shape", (*TARGETS, (X, (6, 4)))),
    Case("view", "torch.Tensor.view", "/self:x size:shape", ((X, (6, 4)), (S, (1,)), (t(0), (0, 1)), (X, (7,)))),
    Case("flatten", "torch.flatten", "input:x start_dim end_dim", ((X,), (X, 1), (X, -2), (X, 0, 1), (X, 1, -1), (X, 2, 1), (X, 3), (X, 0, 3), (S,), (S, 0, -1), (t(0, 3),), *((x, 1) for x in OTHER))),
    Case("ravel", "torch.ravel", "input:x", (X, S, t(0, 3), *OTHER)),
    Case("unflatten", "torch.unflatten", "input:x dim sizes", ((X, 2, (2, 2)), (X, -1, (2, -1)), (X, 1, (2, 2)), (X, 1, (-1, 2)), (X, 3, (1,)), (X, 0, (2, 1)), (t(0, 3), 1, (3, 1)), (S, 0, (1,)), *((x, 2, (2, 2)) for x in OTHER))),
    Case("squeeze", "torch.squeeze", "input:x dim", ((t(1, 3, 1),), (t(1, 3, 1), 0), (t(1, 3, 1), 1), (t(1, 3, 1), -1), (t(1, 3, 1), 3), (S,), (S, 0), (S, 1), (t(1, 0),), (t(1, 3, 1), (0, 2)), (t(1, 2, dtype=INT64), 0))),
    Case("unsqueeze", "torch.unsqueeze", "input:x dim", ((X, 0), (X, 3), (X, -1), (X, -4), (X, 4), (X, -5), (S, 0), (S, -1), (S, 1), (t(0), 1), *((x, 1) for x in OTHER))),
    Case("transpose", "torch.transpose", "input:x dim0 dim1", ((X, 0, 1), (X, -1, -2), (X, 0, 0), (X, 0, 3), (S, 0, 0), (S, 0, 1), (t(0, 3), 0, 1), *((x, 0, 2) for x in OTHER))),
    *(Case("swapaxes", f"torch.{name}", f"input:x {params}", ((X, 0, 1), (X, -1, -2), (X, 0, 3), (S, 0, 0), (t(0, 3), 0, 1), (t(2, 3, dtype=INT64), 0, 1)))
      for name, params in (("swapaxes", "axis0 axis1"), ("swapdims", "dim0 dim1"))),
    Case("permute", "torch.permute", "input:x dims", ((X, (2, 0, 1)), (X, (-1, 0, 1)), (X, (0, 1)), (X, (0, 0, 1)), (X, (0, 1, 3)), (S, ()), (t(0, 3), (1, 0)), *((x, (1, 0, 2)) for x in OTHER))),
    Case("permute", "torch.Tensor.permute", "/self:x *dims", ((X, 2, 0, 1), (X, -1, 0, 1), (X, 0, 1), (X, (2, 0, 1)))),
    Case("t", "torch.t", "input:x", (t(2, 3), t(3), S, X, t(0, 3), t(2, 3, dtype=INT64))),
    Case("adjoint", "torch.adjoint", "input:x", (t(2, 3), X, S, t(0, 3), t(2, 3, dtype=INT64))),
    Case("movedim", "torch.movedim", "input:x source destination", ((X, 0, 2), (X, -1, 0), (X, (0, 1), (1, 2)), (X, 3, 0), (X, (0, 0), (1, 2)), (X, (0, 1), (1,)), (S, 0, 0), (t(0, 3), 0, 1), *((x, 0, -1) for x in OTHER))),
    Case("flip", "torch.flip", "input:x dims", ((X, (0,)), (X, (0, -1)), (X, (3,)), (t(0, 3), (0,)), (S, (0,)), *((x, (1,)) for x in OTHER))),
    Case("roll", "torch.roll", "input:x shifts dims:dim", ((X, 1, 0), (X, (1, 2), (0, -1)), (X, 1), (X, 1, 3), (S, 1), (t(0, 3), 1, 0), *((x, 1, 1) for x in OTHER))),
    Case("rot90", "torch.rot90", "input:x k dims", ((X, 1, (0, 1)), (X, 2, (1, 2)), (X, 1, (-1, -2)), (X, 1, (0, 3)), (t(0, 3), 1, (0, 1)), (S, 1, (0, 1)), *((x, 1, (0, 1)) for x in OTHER))),
    Case("expand", "torch.Tensor.expand", "/self:x *shape", ((t(1, 3), 2, 3), (t(1, 3), 2, -1), (t(3), 2, 3), (t(2, 3), 4, 3), (t(2, 3), 3), (t(3), -1, 3), (S, 2), (t(0, 1), 0, 3), (t(1, 3), 0, 3), (t(1, dtype=INT64), 4), (t(1, 3), (2, 3)))),
    Case("broadcast_to", "torch.broadcast_to", "input:x size:shape", ((t(1, 3), (2, 3)), (t(2, 3), (4, 3)), (t(2, 3), (3,)), (S, (2,)), (t(0, 1), (0, 3)), (t(1, dtype=INT64), (4,)), (t(1, 3), (-1, 3)))),
    Case("expand_as", "torch.Tensor.expand_as", "/self:x other:y", ((t(1, 3), t(2, 3)), (t(3), t(2, 3)), (S, t(2)), (t(2), t(3)), (t(0, 1), t(0, 3)), (t(1, dtype=INT64), t(4)))),
    Case("repeat", "torch.Tensor.repeat", "/self:x *repeats", ((X, 2, 1, 3), (X, 2), (t(3), 2, 2), (S, 3), (t(0, 3), 2, 2), (X, 5, 1, 1, 1), (X, (1, 2, 3)), (t(2, dtype=INT64), 0), *((x, 1, 1, 2) for x in OTHER))),
    Case("tile", "torch.tile", "input:x dims:repeats", ((X, (2, 1, 3)), (X, (2,)), (t(3), (2, 2)), (S, (3,)), (t(0, 3), (2, 2)), Quiet((t(3), (-1,))), *((x, (2,)) for x in OTHER))),
    Case("repeat_interleave", "torch.repeat_interleave", "input:x repeats dim", ((X, 2), (X, 2, 1), (X, 2, -1), (X, 2, 3), (S, 2), (t(0, 3), 2, 0), *((x, 2, 0) for x in OTHER))),
    Case("tril", "torch.tril", "input:x diagonal", ((X,), (X, 1), (t(3),), (S,), (t(0, 3), -1), *((x,) for x in OTHER))),
    Case("triu", "torch.triu", "input:x diagonal", ((X,), (X, 1), (t(3),), (S,), (t(0, 3), -1), *((x,) for x in OTHER))),
    Case("diag", "torch.diag", "input:x diagonal", ((t(3),), (t(3), 1), (t(3), -2), (t(2, 3),), (t(2, 3), 1), (t(2, 3), -1), (X,), (S,), (t(0),), (t(0, 3),), (t(2, dtype=INT64),))),
    Case("diagonal", "torch.diagonal", "input:x offset dim1 dim2", ((X,), (X, 0, 1, 2), (X, 1, -2, -1), (X, -1, 0, 2), (X, 0, 0, 0), (X, 0, 0, 3), (t(3),), (S,), (t(0, 3),), (X, 7), *((x,) for x in OTHER))),
    Case("diag_embed", "torch.diag_embed", "input:x offset dim1 dim2", (Loose((X, 0, -3, -1)), Loose((X, 0, 0, 1)), (X,), (t(3),), (t(3), -1), (S,), (t(0),), (t(2, dtype=INT64),))),
    Case("trace", "torch.trace", "input:x", (t(3, 3), t(2, 3), X, S, t(0, 3), t(2, 3, dtype=INT64))),
    Case("pixel_shuffle", "torch.pixel_shuffle", "input:x upscale_factor:factor", ((t(1, 12, 4, 5), 2), (t(12, 4, 5), 2), (t(1, 10, 4, 5), 2), (t(4, 5), 2), (S, 2), (t(0, 4, 2, 2), 2), (t(4, 2, 2, dtype=INT64), 2))),
    Case("pixel_unshuffle", "torch.pixel_unshuffle", "input:x downscale_factor:factor", ((t(1, 3, 4, 6), 2), (t(3, 4, 6), 2), (t(1, 3, 5, 6), 2), (t(4, 5), 2), (S, 2), (t(1, 3, 0, 2), 2), (t(4, 2, 2, dtype=INT64), 2))),
    Case("channel_shuffle", "torch.channel_shuffle", "input:x groups", ((t(1, 4, 2, 2), 2), (t(1, 5, 2, 2), 2), (t(4, 4), 2), (S, 2), (t(1, 4, 0, 2), 2), (t(1, 4, 2, 2, dtype=FLOAT64), 2))),
    Case("unfold", "torch.nn.functional.unfold", "input:x kernel_size dilation padding stride", ((t(2, 3, 8, 8), 3), (t(2, 3, 8, 8), (2, 3), 1, 1, 2), (t(3, 8, 8), 2, 2), (t(2, 3, 8, 8), 9), (t(8, 8), 2), (S, 2), (t(0, 3, 8, 8), 2), (t(2, 3, 8, 8, dtype=FLOAT64), 2))),
    Case("fold", "torch.nn.functional.fold", "input:x output_size kernel_size dilation padding stride", ((t(2, 12, 49), (8, 8), 2), (t(12, 49), (8, 8), 2), (t(2, 12, 48), (8, 8), 2), (t(2, 11, 49), (8, 8), 2), (t(2, 12, 16), 8, 2, 1, 0, 2), (S, 8, 2), (t(0, 12, 49), 8, 2),
         (t(2, 12, 49, dtype=FLOAT64), 8, 2))),
    Case("unfold_axis", "torch.Tensor.unfold", "/self:x dimension:dim size step", ((X, 2, 2, 1), (X, -1, 2, 2), (X, 1, 4, 1), (X, 3, 1, 1), (S, 0, 1, 1), (t(0, 3), 1, 2, 1), *((x, 0, 1, 1) for x in OTHER))),
]  # fmt: skip
