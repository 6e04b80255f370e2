import argparse

import torch
from torch import nn


def fgsm(model, image, label, eps):
    image = image.clone().detach()
    image.requires_grad = True
    loss = nn.functional.cross_entropy(model(image), label)
    model.zero_grad()
    loss.backward()
    return (image + eps * image.grad.sign()).clamp(0, 1).detach()


def train(model, images, labels, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    model.train()
    for _ in range(epochs):
        for x, y in zip(images.split(16), labels.split(16)):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


def robustness(model, images, labels, levels):
    model.eval()
    for eps in levels:
        adversarial = fgsm(model, images, labels, eps)
        with torch.no_grad():
            accuracy = (model(adversarial).argmax(1) == labels).float().mean().item()
        print(f"eps={eps:.2f} accuracy={accuracy:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--eps", type=float, nargs="*", default=[0.0, 0.05, 0.1])
    args = parser.parse_args()
    torch.manual_seed(0)
    pictures = torch.rand(96, 1, 8, 8)
    classes = (pictures[:, 0, :4].sum((1, 2)) > pictures[:, 0, 4:].sum((1, 2))).long()
    classifier = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Dropout(0.1), nn.Linear(8 * 36, 2))
    train(classifier, pictures, classes, epochs=6)
    robustness(classifier, pictures, classes, args.eps)
