"""Domain adaptation with a separate discriminator: encoder, task head and discriminator have their own optimizers."""
import argparse

import torch
from torch import nn


class Part(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        layers = []
        for a, b in zip(sizes, sizes[1:]):
            layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
        self.layers = nn.Sequential(*layers[:-1])

    def forward(self, x):
        return self.layers(x)


def source(n, gen):
    y = torch.randint(0, 2, (n,), generator=gen)
    return torch.randn(n, 6, generator=gen) + 1.5 * y[:, None], y


def target(n, gen):
    x, y = source(n, gen)
    return x * 0.8 + torch.tensor([2.0, -1, 0, 0, 0, 0]), y


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(6)
    encoder, head, critic = Part([6, 32, 8]), Part([8, 2]), Part([8, 32, 1])
    opt_task = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=args.lr, betas=(0.5, 0.9))
    opt_critic = torch.optim.Adam(critic.parameters(), lr=args.lr, betas=(0.5, 0.9))
    start = critic.layers[0].weight.detach().clone()
    bce = nn.functional.binary_cross_entropy_with_logits
    for _ in range(args.steps):
        (xs, ys), (xt, _) = source(64, gen), target(64, gen)
        fs, ft = encoder(xs), encoder(xt)
        critic_loss = bce(critic(fs.detach()), torch.ones(64, 1)) + bce(critic(ft.detach()), torch.zeros(64, 1))
        opt_critic.zero_grad()
        critic_loss.backward()
        opt_critic.step()

        confuse = bce(critic(ft), torch.ones(64, 1))
        task_loss = nn.functional.cross_entropy(head(fs), ys) + 0.1 * confuse
        opt_task.zero_grad()
        task_loss.backward()
        opt_task.step()
        critic.zero_grad()
    for part in (encoder, head, critic):
        part.eval()
    with torch.no_grad():
        x, y = target(1000, gen)
        accuracy = (head(encoder(x)).argmax(1) == y).float().mean().item()
    moved = (critic.layers[0].weight.detach() - start).abs().max().item()
    print(f"target accuracy {accuracy:.3f}, critic moved by {moved:.4f}")


if __name__ == "__main__":
    main()
