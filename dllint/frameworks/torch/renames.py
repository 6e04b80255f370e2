"""Names of PyTorch and torchvision that today's releases lack, or that raise when they are called.

Data only. Checked against torch 2.13: the removed linear-algebra functions are still attributes and raise on call. A
replacement is given only where the call can stay as it is.
"""

from __future__ import annotations

from typing import Final

#: Name → its replacement, or ``""`` where arguments or results differ.
SYMBOLS: Final = {
    "torch.solve": "",
    "torch.symeig": "",
    "torch.eig": "",
    "torch.lstsq": "",
    "torch.matrix_rank": "torch.linalg.matrix_rank",
    "torch.Tensor.solve": "",
    "torch.Tensor.symeig": "",
    "torch.Tensor.eig": "",
    "torch.Tensor.lstsq": "",
    "torch.rfft": "",
    "torch.irfft": "",
    "torch.ifft": "",
    "torch.gels": "",
    "torch.trtrs": "",
    "torch.potrf": "torch.linalg.cholesky",
    "torch.btrifact": "",
    "torch.btrisolve": "",
    "torch._six": "",
    "torch.legacy": "",
    "torch.utils.ffi": "",
    "torch.distributed.deprecated": "",
    "torch.nn.backends": "",
    "torch.jit.quantized": "",
    "torchvision.transforms.Scale": "torchvision.transforms.Resize",
    "torchvision.transforms.RandomSizedCrop": "torchvision.transforms.RandomResizedCrop",
    "torchvision.models.utils": "torch.hub",
    "torchvision.transforms.functional_tensor": "",
    "torchvision.models.resnet.model_urls": "",
    "torchvision.models.vgg.model_urls": "",
}

#: What to use where the arguments or results differ.
ADVICE: Final = {
    "torch.solve": "torch.linalg.solve(A, B), whose arguments stand in the other order",
    "torch.Tensor.solve": "torch.linalg.solve(A, B), whose arguments stand in the other order",
    "torch.symeig": "torch.linalg.eigh, or torch.linalg.eigvalsh for eigenvalues only",
    "torch.Tensor.symeig": "torch.linalg.eigh, or torch.linalg.eigvalsh for eigenvalues only",
    "torch.eig": "torch.linalg.eig, which returns complex tensors",
    "torch.Tensor.eig": "torch.linalg.eig, which returns complex tensors",
    "torch.lstsq": "torch.linalg.lstsq(A, B), whose arguments stand in the other order",
    "torch.Tensor.lstsq": "torch.linalg.lstsq(A, B), whose arguments stand in the other order",
    "torch.rfft": "torch.fft.rfft, which returns a complex tensor",
    "torch.irfft": "torch.fft.irfft, which takes a complex tensor",
    "torch.ifft": "torch.fft.ifft, which takes a complex tensor",
    "torch.gels": "torch.linalg.lstsq",
    "torch.trtrs": "torch.linalg.solve_triangular",
    "torch.btrifact": "torch.linalg.lu_factor",
    "torch.btrisolve": "torch.linalg.lu_solve",
    "torch._six": "collections.abc and the built-in types",
    "torchvision.transforms.functional_tensor": "torchvision.transforms.functional",
    "torchvision.models.resnet.model_urls": "the weights enumerations (ResNet50_Weights.DEFAULT.url)",
    "torchvision.models.vgg.model_urls": "the weights enumerations (VGG16_Weights.DEFAULT.url)",
}
