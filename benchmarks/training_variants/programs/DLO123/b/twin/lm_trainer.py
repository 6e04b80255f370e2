import argparse

import torch
from torch import nn
from torch.nn import functional as F


class BigramLM(nn.Module):
    def __init__(self, vocab, dim, context):
        super().__init__()
        self.token = nn.Embedding(vocab, dim)
        self.position = nn.Embedding(context, dim)
        self.mlp = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))
        self.lm_head = nn.Linear(dim, vocab, bias=False)

    def forward(self, ids, labels=None):
        x = self.token(ids) + self.position(torch.arange(ids.shape[1], device=ids.device))
        logits = self.lm_head(x + self.mlp(x))
        loss = None
        if labels is not None:
            loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return {"loss": loss, "logits": logits}


class LMTrainer:
    def __init__(self, model, args):
        self.model = model
        self.args = args
        self.optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
        self.micro_step = 0

    def is_update_step(self):
        return self.micro_step % self.args.gradient_accumulation == 0

    def train_micro_batch(self, ids):
        output = self.model(ids[:, :-1], labels=ids[:, 1:])
        loss = output["loss"]
        (loss / self.args.gradient_accumulation).backward()
        self.micro_step += 1
        if self.is_update_step():
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.item()

    def train(self):
        self.model.train()
        for _ in range(self.args.updates * self.args.gradient_accumulation):
            start = torch.randint(0, 32, (8, 1))
            ids = (start + torch.arange(17)) % 32
            value = self.train_micro_batch(ids)
            if self.micro_step % 40 == 0:
                print(self.micro_step, f"{value:.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.3)
    parser.add_argument("--updates", type=int, default=30)
    parser.add_argument("--gradient-accumulation", type=int, default=8)
    torch.manual_seed(0)
    args = parser.parse_args()
    LMTrainer(BigramLM(32, 24, 16), args).train()
