"""What is believed of public files, which are traced and not run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Final

from benchmarks.raises.listening import Belief, listening
from dllint.config.discovery import Configuration
from dllint.engine.relevant import is_relevant
from dllint.engine.session import Session

#: Public checkouts of the development set: implementations of models and training scripts, torch, Keras and TensorFlow.
CHECKOUTS: Final = (
    "pypi+torchvision/torchvision/models",
    "pypi+keras/keras/src/applications",
    "huggingface+pytorch-image-models/timm/models",
    "huggingface+pytorch-image-models/timm/layers",
    "huggingface+accelerate",
    "CompVis+latent-diffusion",
    "NVIDIA+tacotron2",
    "NVlabs+stylegan2-ada-pytorch",
    "andi611+CS-Tacotron-Pytorch",
    "bentrevett+pytorch-seq2seq",
    "clvrai+BicycleGAN-Tensorflow",
    "dennybritz+cnn-text-classification-tf",
    "eriklindernoren+PyTorch-GAN",
    "facebookresearch+detr",
    "facebookresearch+mae",
    "google-research+vision_transformer",
    "graykode+nlp-tutorial",
    "jadore801120+attention-is-all-you-need-pytorch",
    "karpathy+nanoGPT",
    "kuangliu+pytorch-cifar",
    "lucidrains+denoising-diffusion-pytorch",
    "lucidrains+vit-pytorch",
    "meta-llama+llama",
    "milesial+Pytorch-UNet",
    "openai+CLIP",
    "openai+whisper",
    "pytorch+examples",
    "qqwweee+keras-yolo3",
    "qubvel+segmentation_models",
    "rusty1s+pytorch_geometric",
    "sjchoi86+yet-another-pytorch-tutorial-v2",
    "srihari-humbarwadi+retinanet-tensorflow2.x",
    "ultralytics+yolov5",
    "vwxyzjn+cleanrl",
    "xinntao+ESRGAN",
    "yunjey+pytorch-tutorial",
)


@dataclass(slots=True)
class Traced:
    """The beliefs about the files of one checkout, each place once, and how many files that are."""

    name: str
    files: int = 0
    seconds: float = 0.0
    beliefs: list[Belief] = field(default_factory=list)


def trace(root: Path, name: str) -> Traced:
    """Trace the files of a checkout that reach a framework."""
    out, begun = Traced(name), process_time()
    session = Session(Configuration(isolated=True))
    places = set()
    for path in sorted((root / name).rglob("*.py")):
        if not path.is_file() or path.is_symlink():
            continue
        for belief in beliefs_of(session, path):
            if belief.place not in places:
                places.add(belief.place)
                out.beliefs.append(belief)
        out.files += 1
    out.seconds = process_time() - begun
    return out


def beliefs_of(session: Session, path: Path) -> Iterable[Belief]:
    """What is believed while a file is traced; nothing of one that reaches no framework or cannot be read."""
    tracer = session.tracer(session.analyser(path).settings)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ()
    if not is_relevant(path, text):
        return ()
    document = tracer.open(path, text, "utf-8")
    if document.problem is not None:
        return ()
    with listening() as heard:
        tracer.trace_apart(document)
    return heard
