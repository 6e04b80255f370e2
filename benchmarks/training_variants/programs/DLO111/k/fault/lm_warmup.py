import math

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


class CharLM(nn.Module):
    def __init__(self, vocab, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.mix = nn.Conv1d(dim, dim, 3)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        h = nn.functional.pad(self.emb(ids).transpose(1, 2), (2, 0))
        return self.out(torch.relu(self.mix(h)).transpose(1, 2))


def warmup_cosine(warmup, total):
    def factor(step):
        if step < warmup:
            return (step + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))

    return factor


class Learner:
    def __init__(self, model, lr, warmup, total):
        self.model = model
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.sched = LambdaLR(self.opt, warmup_cosine(warmup, total))
        self.rates = []

    def update(self, ids):
        logits = self.model(ids[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.sched.step()
        self.rates.append(self.sched.get_last_lr()[0])
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(0)
    text = "the quick brown fox jumps over the lazy dog " * 20
    chars = sorted(set(text))
    ids = torch.tensor([chars.index(c) for c in text])
    learner = Learner(CharLM(len(chars)), lr=1e-2, warmup=3, total=20)
    for step in range(20):
        start = torch.randint(0, len(ids) - 33, (8,))
        loss = learner.update(torch.stack([ids[s:s + 33] for s in start.tolist()]))
    print(f"loss {loss:.4f}", [f"{r:.4f}" for r in learner.rates[:4]])


if __name__ == "__main__":
    main()
