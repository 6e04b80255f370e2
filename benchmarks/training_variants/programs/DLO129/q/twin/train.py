"""Few-shot fine-tuning: keep the model of the best episode and save it at the end."""
import argparse
import tempfile
from pathlib import Path

import torch
from torch import nn


def episode(gen, ways=3, shots=5, queries=15):
    centres = torch.randn(ways, 8, generator=gen)
    draw = lambda k: (centres[:, None] + 0.9 * torch.randn(ways, k, 8, generator=gen)).flatten(0, 1)
    label = lambda k: torch.arange(ways).repeat_interleave(k)
    return draw(shots), label(shots), draw(queries), label(queries)


class Protonet(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 8))

    def forward(self, support, support_label, query):
        s, q = self.embed(support), self.embed(query)
        prototypes = torch.stack([s[support_label == c].mean(0) for c in support_label.unique()])
        return -torch.cdist(q, prototypes)


@torch.no_grad()
def validate(model, episodes):
    model.eval()
    scores = [(model(s, sl, q).argmax(1) == ql).float().mean() for s, sl, q, ql in episodes]
    return torch.stack(scores).mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.02)
    args = parser.parse_args()
    torch.manual_seed(53)
    gen = torch.Generator().manual_seed(54)
    valid = [episode(gen) for _ in range(40)]
    model = Protonet()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    best_score, best_state = 0.0, None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "protonet.pt"
        for _ in range(args.rounds):
            model.train()
            for _ in range(10):
                s, sl, q, ql = episode(gen)
                loss = nn.functional.cross_entropy(model(s, sl, q), ql)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            score = validate(model, valid)
            if score > best_score:
                best_score, best_state = score, {k: v.clone() for k, v in model.state_dict().items()}
        torch.save(best_state, path)
        restored = Protonet()
        restored.load_state_dict(torch.load(path, weights_only=True))
    print(f"best {best_score:.4f}, saved model {validate(restored, valid):.4f}")


if __name__ == "__main__":
    main()
