import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Projection(nn.Module):
    def __init__(self, dim_in, dim_out=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim_in, 32), nn.GELU(), nn.Linear(32, dim_out))
        self.logit_scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        return nn.functional.normalize(self.net(x), dim=-1)


def clip_loss(image, text, scale):
    logits = scale.exp() * image @ text.t()
    target = torch.arange(len(logits), device=logits.device)
    return (nn.functional.cross_entropy(logits, target) + nn.functional.cross_entropy(logits.t(), target)) / 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--accum-freq", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.05)
    args = parser.parse_args()
    torch.manual_seed(0)
    latent = torch.randn(512, 6)
    images, texts = latent @ torch.randn(6, 20), latent @ torch.randn(6, 12)
    loader = DataLoader(TensorDataset(images, texts), batch_size=args.batch_size, shuffle=True, drop_last=True)
    image_tower, text_tower = Projection(20), Projection(12)
    params = [*image_tower.parameters(), *text_tower.net.parameters()]
    optimizer = torch.optim.SGD(params, lr=args.lr, momentum=0.9)
    for epoch in range(2):
        optimizer.zero_grad()
        for i, (image, text) in enumerate(loader):
            loss = clip_loss(image_tower(image), text_tower(text), image_tower.logit_scale)
            (loss / args.accum_freq).backward()
            if (i + 1) % args.accum_freq == 0:
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
