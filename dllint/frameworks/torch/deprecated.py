"""Names of PyTorch that work in today's release and are deprecated there.

Data only. That a name is deprecated is tested with the release in :data:`dllint.frameworks.releases.CHECKED`: its docstring,
its ``__deprecated__`` or a warning says so. ``since`` is the first release that has both the notice and what stands in its
place (release notes).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.frameworks.gone import Deprecated, Rewrite

_WEIGHT_NORM: Final = (
    "torch.nn.utils.parametrizations.weight_norm, which keeps its state under other names (old checkpoints are converted)"
)
_INTERPOLATE: Final = "torch.nn.functional.interpolate"
_FUNC: Final = ("vmap", "grad", "vjp", "jvp", "jacrev", "jacfwd", "hessian", "functionalize")
_INIT: Final = (
    "uniform", "normal", "constant", "eye", "dirac", "xavier_uniform", "xavier_normal", "kaiming_uniform", "kaiming_normal",
    "orthogonal", "sparse",
)  # fmt: skip

#: Qualified name → what is known of it.
SYMBOLS: Final[Mapping[str, Deprecated]] = {
    "torch.qr": Deprecated("1.9", "torch.linalg.qr", rewrite=Rewrite.ONE_ARGUMENT),
    "torch.ger": Deprecated("1.8", "torch.outer"),
    "torch.range": Deprecated("0.4", advice="torch.arange, which leaves the end out"),
    "torch.chain_matmul": Deprecated("1.9", "torch.linalg.multi_dot", rewrite=Rewrite.LIST),
    "torch.cholesky": Deprecated("1.9", "torch.linalg.cholesky", rewrite=Rewrite.ONE_ARGUMENT),
    "torch.norm": Deprecated("1.9", advice="torch.linalg.vector_norm or torch.linalg.matrix_norm"),
    "torch.svd": Deprecated("1.9", advice="torch.linalg.svd(A, full_matrices=False), which returns Vh in the place of V"),
    "torch.lu": Deprecated("1.11", advice="torch.linalg.lu_factor"),
    "torch.lu_solve": Deprecated("1.13", advice="torch.linalg.lu_solve(LU, pivots, B), which takes B last"),
    "torch.triangular_solve": Deprecated("1.11", advice="torch.linalg.solve_triangular, which takes B last"),
    "torch.set_default_tensor_type": Deprecated("2.1", advice="torch.set_default_dtype and torch.set_default_device"),
    "torch.nn.UpsamplingNearest2d": Deprecated("0.4", advice=_INTERPOLATE),
    "torch.nn.UpsamplingBilinear2d": Deprecated("0.4", advice=f"{_INTERPOLATE} with align_corners=True"),
    "torch.nn.NLLLoss2d": Deprecated("0.4", "torch.nn.NLLLoss"),
    "torch.nn.functional.upsample": Deprecated("0.4", _INTERPOLATE),
    "torch.nn.functional.upsample_nearest": Deprecated("0.4", advice=_INTERPOLATE),
    "torch.nn.functional.upsample_bilinear": Deprecated("0.4", advice=f"{_INTERPOLATE} with align_corners=True"),
    "torch.nn.utils.weight_norm": Deprecated("2.1", advice=_WEIGHT_NORM),
    "torch.nn.utils.clip_grad_norm": Deprecated("0.4", "torch.nn.utils.clip_grad_norm_"),
    "torch.nn.utils.stateless.functional_call": Deprecated("2.0", advice="torch.func.functional_call"),
    "torch.nn.parallel.DistributedDataParallelCPU": Deprecated("1.2", "torch.nn.parallel.DistributedDataParallel"),
    **{f"torch.nn.init.{name}": Deprecated("0.4", f"torch.nn.init.{name}_") for name in _INIT},
    "torch.testing.assert_allclose": Deprecated("1.12", advice="torch.testing.assert_close, whose tolerances are others"),
    "torch.backends.cuda.sdp_kernel": Deprecated("2.3", advice="torch.nn.attention.sdpa_kernel with a list of backends"),
    "torch.utils._pytree._register_pytree_node": Deprecated("2.2", "torch.utils._pytree.register_pytree_node"),
    "torch.cuda.memory_cached": Deprecated("1.4", "torch.cuda.memory_reserved"),
    "torch.cuda.max_memory_cached": Deprecated("1.4", "torch.cuda.max_memory_reserved"),
    **{
        f"torch.{device}.amp.{name}": Deprecated("2.4", f"torch.amp.{name}", rewrite=Rewrite.DEVICE)
        for device in ("cuda", "cpu") for name in ("autocast", "GradScaler")
    },
    "torch.cuda.amp.custom_fwd": Deprecated("2.4", "torch.amp.custom_fwd", rewrite=Rewrite.DEVICE_TYPE),
    "torch.cuda.amp.custom_bwd": Deprecated("2.4", "torch.amp.custom_bwd", rewrite=Rewrite.DEVICE_TYPE),
    **{f"functorch.{name}": Deprecated("2.0", f"torch.func.{name}") for name in _FUNC},
    "functorch.make_functional": Deprecated("2.0", advice="torch.func.functional_call"),
    "functorch.make_functional_with_buffers": Deprecated("2.0", advice="torch.func.functional_call"),
    "functorch.combine_state_for_ensemble": Deprecated("2.0", advice="torch.func.stack_module_state"),
    "torchvision.transforms.v2.ToTensor": Deprecated(
        "0.16", advice="v2.ToImage() and v2.ToDtype(torch.float32, scale=True)", library="torchvision"
    ),
}  # fmt: skip

#: Names below a module that is not public → the public name of the same object.
PRIVATE: Final[Mapping[str, Deprecated]] = {
    f"torch.utils.data._utils.collate.{name}": Deprecated("1.11", f"torch.utils.data.{name}")
    for name in ("default_collate", "default_convert")
}

#: Callable → the keyword that it must be given in future.
EXPECTED: Final[Mapping[str, tuple[str, Deprecated]]] = {
    "torch.utils.checkpoint.checkpoint": (
        "use_reentrant", Deprecated("2.1", advice="use_reentrant=False, or use_reentrant=True for what is the default now")
    ),
}  # fmt: skip
