"""Fine-tune an ImageNet ResNet on a folder of leaf photographs."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from torchvision.models import ResNet50_Weights, resnet50


def transforms_for(train):
    steps = [transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip()] if train else [transforms.Resize(256), transforms.CenterCrop(224)]
    return transforms.Compose([*steps, transforms.ToTensor()])


def build(classes):
    model = resnet50(weights=ResNet50_Weights.IMAGENET1K_V2)
    for p in model.parameters():
        p.requires_grad = False
    model.fc = nn.Linear(model.fc.in_features, classes)
    return model


def epoch(model, loader, optimizer, device):
    model.train()
    for image, leaf in loader:
        image, leaf = image.to(device, non_blocking=True), leaf.to(device, non_blocking=True)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(image), leaf).backward()
        optimizer.step()


@torch.inference_mode()
def accuracy(model, loader, device):
    model.eval()
    hits = sum((model(image.to(device)).argmax(1).cpu() == leaf).sum().item() for image, leaf in loader)
    return hits / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--epochs", type=int, default=8)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train = datasets.ImageFolder(f"{args.root}/train", transforms_for(True))
    valid = datasets.ImageFolder(f"{args.root}/valid", transforms_for(False))
    options = {"batch_size": 32, "num_workers": 4, "pin_memory": True}
    train_loader, valid_loader = DataLoader(train, shuffle=True, **options), DataLoader(valid, **options)
    model = build(len(train.classes)).to(device)
    optimizer = torch.optim.AdamW(model.fc.parameters(), lr=1e-3, weight_decay=1e-2)
    for i in range(args.epochs):
        epoch(model, train_loader, optimizer, device)
        print(i, accuracy(model, valid_loader, device))


if __name__ == "__main__":
    main()
