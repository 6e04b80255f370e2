"""Transforms of images held in tensors."""


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, image):
        for step in self.steps:
            image = step(image)
        return image


def clip(image):
    image.clamp(0.0, 1.0)
    return image


def brighten(image):
    return image * 1.5
