"""Contrastive pre-training (SimCLR style) on the GPU with a text log."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class Projector(nn.Module):
    def __init__(self, n_in, width, n_out):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.BatchNorm1d(width), nn.ReLU(inplace=True))
        self.head = nn.Linear(width, n_out)

    def forward(self, x):
        return F.normalize(self.head(self.trunk(x)), dim=1)


def nt_xent(a, b, temperature):
    z = torch.cat([a, b])
    similarity = z @ z.t() / temperature
    similarity.fill_diagonal_(float("-inf"))
    n = a.shape[0]
    target = torch.cat([torch.arange(n, 2 * n, device=z.device), torch.arange(n, device=z.device)])
    return F.cross_entropy(similarity, target)


def augment(x):
    return x * (torch.rand_like(x) > 0.2) + 0.1 * torch.randn_like(x)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--log-every", type=int, default=100)
    args = parser.parse_args()
    torch.manual_seed(3)
    device = torch.device("cuda")
    pool = torch.randn(8192, 128, device=device)
    net = Projector(128, 256, 64).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    running = torch.zeros((), device=device)
    net.train()
    for it in range(1, args.iterations + 1):
        x = pool[torch.randint(0, 8192, (256,), device=device)]
        loss = nt_xent(net(augment(x)), net(augment(x)), temperature=0.2)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        running = 0.99 * running + 0.01 * loss.detach()
        if it % args.log_every == 0:
            print(f"iteration {it} loss {loss.item():.4f} smoothed {float(running):.4f}")
    torch.save(net.state_dict(), "projector.pt")


if __name__ == "__main__":
    main()
