import argparse

import torch
from torch import nn, optim

from arcface import ArcMarginProduct, Embedder


def get_args():
    p = argparse.ArgumentParser(description="face embeddings")
    p.add_argument("--epochs", default=5, type=int)
    p.add_argument("--lr", default=0.05, type=float)
    p.add_argument("--ids", default=8, type=int)
    return p.parse_args()


def main(args):
    torch.manual_seed(100)
    ident = torch.randint(0, args.ids, (400,))
    faces = torch.randn(args.ids, 30)[ident] + 0.5 * torch.randn(400, 30)

    model = Embedder()
    metric_fc = ArcMarginProduct(16, args.ids)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(
        [{"params": model.parameters()}, {"params": metric_fc.parameters()}],
        lr=args.lr, momentum=0.9, weight_decay=5e-4,
    )
    for epoch in range(args.epochs):
        model.train()
        for i in range(0, 400, 50):
            feature = model(faces[i:i + 50])
            output = metric_fc(feature, ident[i:i + 50])
            loss = criterion(output, ident[i:i + 50])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.3f} |W| {metric_fc.weight.norm().item():.3f}")


if __name__ == "__main__":
    main(get_args())
