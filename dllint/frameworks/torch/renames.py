"""Names of PyTorch and torchvision that today's releases lack, or that raise when they are called.

Data only. That torch's names are gone is tested with the release in :data:`dllint.frameworks.releases.CHECKED`; since when is
read in release notes. Of torchvision nothing is tested: there is no build of it to test with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.frameworks.gone import Gone

_NOTES: Final = "release notes"

#: Qualified name → what is known of its end.
SYMBOLS: Final[Mapping[str, Gone]] = {
    **{f"torch{owner}.{name}": Gone("2.0", advice=advice, stub=True) for owner in ("", ".Tensor") for name, advice in (
        ("solve", "torch.linalg.solve(A, B), whose arguments stand in the other order"),
        ("symeig", "torch.linalg.eigh, or torch.linalg.eigvalsh for eigenvalues only"),
        ("eig", "torch.linalg.eig, which returns complex tensors"),
        ("lstsq", "torch.linalg.lstsq(A, B), whose arguments stand in the other order"),
    )},
    "torch.matrix_rank": Gone("2.0", "torch.linalg.matrix_rank", stub=True),
    "torch.rfft": Gone("1.8", advice="torch.fft.rfft, which returns a complex tensor"),
    "torch.irfft": Gone("1.8", advice="torch.fft.irfft, which takes a complex tensor"),
    "torch.ifft": Gone("1.8", advice="torch.fft.ifft, which returns a complex tensor"),
    "torch.gels": Gone("1.3", advice="torch.linalg.lstsq"),
    "torch.trtrs": Gone("1.3", advice="torch.linalg.solve_triangular"),
    "torch.potrf": Gone("1.3", "torch.linalg.cholesky"),
    "torch.btrifact": Gone("1.3", advice="torch.linalg.lu_factor"),
    "torch.btrisolve": Gone("1.3", advice="torch.linalg.lu_solve"),
    "torch._six": Gone("2.0", advice="collections.abc and the built-in types"),
    "torch._six.inf": Gone("2.0", advice="math.inf"),
    "torch._six.nan": Gone("2.0", advice="math.nan"),
    "torch._six.string_classes": Gone("2.0", advice="str"),
    "torch._six.int_classes": Gone("2.0", advice="int"),
    "torch._six.container_abcs": Gone("2.0", advice="collections.abc"),
    "torch.legacy": Gone("1.0"),
    "torch.utils.ffi": Gone("1.0", advice="torch.utils.cpp_extension"),
    "torch.distributed.deprecated": Gone("1.2", advice="torch.distributed"),
    "torchvision.transforms.Scale": Gone("0.13", "torchvision.transforms.Resize", source=_NOTES),
    "torchvision.transforms.RandomSizedCrop": Gone("0.13", "torchvision.transforms.RandomResizedCrop", source=_NOTES),
    "torchvision.models.utils": Gone("0.13", "torch.hub", source=_NOTES),
    "torchvision.transforms.functional_tensor": Gone("0.17", advice="torchvision.transforms.functional", source=_NOTES),
    "torchvision.models.resnet.model_urls": Gone(
        "0.14", advice="the weights enumerations (ResNet50_Weights.DEFAULT.url)", source=_NOTES
    ),
    "torchvision.models.vgg.model_urls": Gone(
        "0.14", advice="the weights enumerations (VGG16_Weights.DEFAULT.url)", source=_NOTES
    ),
}  # fmt: skip

#: Module → the keywords that all its classes took once.
KEYWORDS: Final[Mapping[str, Mapping[str, Gone]]] = {
    "torch.optim.lr_scheduler": {
        "verbose": Gone("2.7", advice="remove it, and print what get_last_lr() returns", source=_NOTES)
    },
}

#: Name → the first release that has it (release notes): what a file must be for that uses it.
INTRODUCED: Final[Mapping[str, str]] = {
    "torch.nn.Flatten": "1.2", "torch.optim.AdamW": "1.2", "torch.nn.TransformerEncoder": "1.2", "torch.nn.GELU": "1.4",
    "torch.cuda.amp": "1.6", "torch.nn.SiLU": "1.7", "torch.linalg": "1.7", "torch.fx": "1.8", "torch.fft.rfft": "1.8",
    "torch.inference_mode": "1.9", "torch.special": "1.9", "torch.nn.Mish": "1.9", "torch.amp": "1.10",
    "torch.set_float32_matmul_precision": "1.12", "torch.backends.mps": "1.12",
    "torch.compile": "2.0", "torch.func": "2.0", "torch.vmap": "2.0", "torch._dynamo": "2.0",
    "torch.nn.functional.scaled_dot_product_attention": "2.0", "torch.set_default_device": "2.0", "torch.export": "2.1",
    "torch.nn.attention": "2.3", "torch.nn.RMSNorm": "2.4", "torch.amp.GradScaler": "2.3",
}  # fmt: skip
