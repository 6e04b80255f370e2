"""Architectures of ``torchvision.models``: the feature extractor's widths and the classifier's layers. Data only.

Sources: torchvision's model builders (0.28) and the papers they cite.
"""

from __future__ import annotations

from typing import Final

#: Width of each of the four stages; the stem is 7×7/2, 64 channels, then 3×3/2 max pooling.
RESNETS: Final = {
    "resnet18": (64, 128, 256, 512), "resnet34": (64, 128, 256, 512), "resnet50": (256, 512, 1024, 2048),
    "resnet101": (256, 512, 1024, 2048), "resnet152": (256, 512, 1024, 2048), "resnext50_32x4d": (256, 512, 1024, 2048),
    "resnext101_32x8d": (256, 512, 1024, 2048), "resnext101_64x4d": (256, 512, 1024, 2048),
    "wide_resnet50_2": (256, 512, 1024, 2048), "wide_resnet101_2": (256, 512, 1024, 2048),
}  # fmt: skip

#: 3×3 convolutions by width, ``0`` is a 2×2 max pooling.
VGGS: Final = {
    "vgg11": (64, 0, 128, 0, 256, 256, 0, 512, 512, 0, 512, 512, 0),
    "vgg13": (64, 64, 0, 128, 128, 0, 256, 256, 0, 512, 512, 0, 512, 512, 0),
    "vgg16": (64, 64, 0, 128, 128, 0, 256, 256, 256, 0, 512, 512, 512, 0, 512, 512, 512, 0),
    "vgg19": (64, 64, 0, 128, 128, 0, 256, 256, 256, 256, 0, 512, 512, 512, 512, 0, 512, 512, 512, 512, 0),
}

#: Channels of the last feature map (stride 32), and the classifier: ``D`` is a dropout, ``H`` hard-swish, a number a Linear
#: of that width, ``C`` the Linear to the classes; a leading empty classifier is one Linear.
FEATURES: Final = {
    "densenet121": (1024, "C"), "densenet161": (2208, "C"), "densenet169": (1664, "C"), "densenet201": (1920, "C"),
    "mobilenet_v2": (1280, "D C"), "mobilenet_v3_large": (960, "1280 H D C"), "mobilenet_v3_small": (576, "1024 H D C"),
    "efficientnet_b0": (1280, "D C"), "efficientnet_b1": (1280, "D C"), "efficientnet_b2": (1408, "D C"),
    "efficientnet_b3": (1536, "D C"), "efficientnet_b4": (1792, "D C"), "efficientnet_b5": (2048, "D C"),
    "efficientnet_b6": (2304, "D C"), "efficientnet_b7": (2560, "D C"), "efficientnet_v2_s": (1280, "D C"),
    "efficientnet_v2_m": (1280, "D C"), "efficientnet_v2_l": (1280, "D C"), "mnasnet1_0": (1280, "D C"), "mnasnet0_5": (1280,
    "D C"),
}  # fmt: skip

#: How the names of those begin whose pooling is a child ``avgpool``; the others of ``FEATURES`` pool in ``forward``.
POOLED: Final = ("efficientnet", "mobilenet_v3")
