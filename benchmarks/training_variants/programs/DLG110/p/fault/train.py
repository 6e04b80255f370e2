"""Image folder training on a GPU with torchvision's ResNet."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, models, transforms

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("root")
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--batch-size", type=int, default=128)
    p.add_argument("--lr", type=float, default=0.05)
    return p.parse_args()


def loaders(args):
    normalize = transforms.Normalize(MEAN, STD)
    train_tf = transforms.Compose(
        [transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip(), transforms.ToTensor(), normalize]
    )
    eval_tf = transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor(), normalize])
    train = datasets.ImageFolder(f"{args.root}/train", train_tf)
    valid = datasets.ImageFolder(f"{args.root}/val", eval_tf)
    return (
        DataLoader(train, batch_size=args.batch_size, shuffle=True),
        DataLoader(valid, batch_size=args.batch_size),
        len(train.classes),
    )


def train_one_epoch(model, loader, optimizer, device):
    model.train()
    for images, targets in loader:
        images, targets = images.to(device, non_blocking=True), targets.to(device, non_blocking=True)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), targets, label_smoothing=0.1).backward()
        optimizer.step()


@torch.inference_mode()
def top1(model, loader, device):
    model.eval()
    correct = torch.zeros((), device=device)
    for images, targets in loader:
        correct += (model(images.to(device)).argmax(1) == targets.to(device)).sum()
    return correct.item() / len(loader.dataset)


def main():
    args = parse()
    torch.manual_seed(0)
    device = torch.device("cuda")
    train, valid, classes = loaders(args)
    model = models.resnet18(num_classes=classes).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4, nesterov=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
    for epoch in range(args.epochs):
        train_one_epoch(model, train, optimizer, device)
        scheduler.step()
        print(epoch, top1(model, valid, device))


if __name__ == "__main__":
    main()
