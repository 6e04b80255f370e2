"""Train in one process, serve from a checkpoint; both share one file of parameters."""
import argparse
import tempfile
from pathlib import Path

import torch
from torch import nn


class Ranker(nn.Module):
    def __init__(self, items=50, dim=16):
        super().__init__()
        self.items = nn.Embedding(items, dim)
        self.users = nn.Embedding(30, dim)
        self.popularity = nn.Embedding(items, 1)

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(-1) + self.popularity(item).squeeze(-1)


def bpr_loss(model, user, liked, other):
    return -nn.functional.logsigmoid(model(user, liked) - model(user, other)).mean()


def fit(path, steps, seed):
    gen = torch.Generator().manual_seed(seed)
    model = Ranker()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05, eps=1e-8)
    for _ in range(steps):
        user = torch.randint(30, (128,), generator=gen)
        liked = (user + 5 * torch.randint(4, (128,), generator=gen)) % 50
        other = torch.randint(50, (128,), generator=gen)
        optimizer.zero_grad()
        loss = bpr_loss(model, user, liked, other)
        loss.backward()
        optimizer.step()
    torch.save(model.state_dict(), path)
    print(f"final loss {loss.item():.4f}")


def load_for_serving(path, device):
    model = Ranker()
    model = model.load_state_dict(torch.load(path, map_location=device, weights_only=True))
    return model.to(device).eval()


@torch.inference_mode()
def recommend(model, user, k):
    items = torch.arange(50)
    return model(torch.full_like(items, user), items).topk(k).indices.tolist()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=150)
    args = parser.parse_args()
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ranker.pt"
        fit(path, args.steps, seed=1)
        model = load_for_serving(path, torch.device("cpu"))
        for user in (3, 8):
            print("user", user, "items", recommend(model, user, 5))


if __name__ == "__main__":
    main()
