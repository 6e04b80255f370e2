"""The whole models that are lowered from their library's source: (name, import, constructor), one or two per family."""

from __future__ import annotations

from typing import NamedTuple


class Model(NamedTuple):
    """``module`` is imported and ``expression`` evaluated in it; ``size`` is height and width of the input."""

    name: str
    module: str
    expression: str
    size: int = 224


def _torchvision(module: str, *names: str, size: int = 224, arguments: str = "") -> list[Model]:
    return [Model(name, f"torchvision.models.{module}", f"{name}({arguments})", size) for name in names]


TORCHVISION: list[Model] = [
    *_torchvision("alexnet", "alexnet"),
    *_torchvision("vgg", "vgg11", "vgg16_bn"),
    *_torchvision("resnet", "resnet18", "resnet50", "resnext50_32x4d", "wide_resnet50_2"),
    *_torchvision("densenet", "densenet121"),
    *_torchvision("googlenet", "googlenet", arguments="init_weights=False"),
    *_torchvision("inception", "inception_v3", size=299, arguments="init_weights=False"),
    *_torchvision("squeezenet", "squeezenet1_1"),
    *_torchvision("mobilenetv2", "mobilenet_v2"),
    *_torchvision("mobilenetv3", "mobilenet_v3_small", "mobilenet_v3_large"),
    *_torchvision("mnasnet", "mnasnet1_0"),
    *_torchvision("shufflenetv2", "shufflenet_v2_x1_0"),
    *_torchvision("efficientnet", "efficientnet_b0", "efficientnet_v2_s"),
    *_torchvision("regnet", "regnet_y_400mf", "regnet_x_800mf"),
    *_torchvision("convnext", "convnext_tiny"),
    *_torchvision("vision_transformer", "vit_b_16"),
    *_torchvision("swin_transformer", "swin_t", "swin_v2_t"),
    *_torchvision("maxvit", "maxvit_t"),
    *_torchvision("segmentation.fcn", "fcn_resnet50", arguments="weights=None, weights_backbone=None"),
    *_torchvision("segmentation.deeplabv3", "deeplabv3_resnet50", arguments="weights=None, weights_backbone=None"),
    *_torchvision("segmentation.lraspp", "lraspp_mobilenet_v3_large", arguments="weights=None, weights_backbone=None"),
]

TIMM: list[Model] = [
    Model(name, f"timm.models.{module}", f"{name}()", size)
    for module, name, size in (
        ("resnet", "resnet18", 224),
        ("vgg", "vgg11", 224),
        ("densenet", "densenet121", 224),
        ("efficientnet", "efficientnet_b0", 224),
        ("mobilenetv3", "mobilenetv3_small_100", 224),
        ("regnet", "regnetx_002", 224),
        ("vision_transformer", "vit_tiny_patch16_224", 224),
        ("swin_transformer", "swin_tiny_patch4_window7_224", 224),
        ("convnext", "convnext_atto", 224),
        ("mlp_mixer", "mixer_s32_224", 224),
        ("deit", "deit_tiny_patch16_224", 224),
        ("cait", "cait_xxs24_224", 224),
        ("convmixer", "convmixer_768_32", 224),
        ("ghostnet", "ghostnet_100", 224),
        ("hrnet", "hrnet_w18_small", 224),
        ("inception_v4", "inception_v4", 299),
        ("xception", "legacy_xception", 299),
        ("pit", "pit_ti_224", 224),
        ("metaformer", "poolformer_s12", 224),
        ("byobnet", "repvgg_a0", 224),
        ("res2net", "res2net50_14w_8s", 224),
        ("senet", "legacy_seresnet18", 224),
        ("dla", "dla34", 224),
        ("dpn", "dpn68", 224),
        ("vovnet", "ese_vovnet19b_dw", 224),
    )
]

KERAS: list[Model] = [
    Model(name, f"keras.src.applications.{module}", f"{name}(weights=None)", size)
    for module, name, size in (
        ("vgg16", "VGG16", 224),
        ("resnet", "ResNet50", 224),
        ("resnet_v2", "ResNet50V2", 224),
        ("densenet", "DenseNet121", 224),
        ("mobilenet", "MobileNet", 224),
        ("mobilenet_v2", "MobileNetV2", 224),
        ("mobilenet_v3", "MobileNetV3Small", 224),
        ("efficientnet", "EfficientNetB0", 224),
        ("efficientnet_v2", "EfficientNetV2B0", 224),
        ("xception", "Xception", 299),
        ("inception_v3", "InceptionV3", 299),
        ("inception_resnet_v2", "InceptionResNetV2", 299),
        ("convnext", "ConvNeXtTiny", 224),
    )
]
SETS: dict[str, list[Model]] = {"torchvision": TORCHVISION, "timm": TIMM, "keras": KERAS}
