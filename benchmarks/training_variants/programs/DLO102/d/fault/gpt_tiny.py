"""Next-character model on a toy corpus."""
from dataclasses import dataclass

import torch
import torch.nn as nn

TEXT = "the quick brown fox jumps over the lazy dog. " * 20
VOCAB = sorted(set(TEXT))
STOI = {c: i for i, c in enumerate(VOCAB)}


@dataclass
class Config:
    context: int = 16
    d_model: int = 32
    heads: int = 4
    batch: int = 16
    iters: int = 25
    lr: float = 3e-3
    clip: float = 1.0


class TinyGPT(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok = nn.Embedding(len(VOCAB), cfg.d_model)
        self.pos = nn.Embedding(cfg.context, cfg.d_model)
        self.block = nn.TransformerEncoderLayer(cfg.d_model, cfg.heads, 64, dropout=0.0, batch_first=True)
        self.head = nn.Linear(cfg.d_model, len(VOCAB))

    def forward(self, idx):
        t = idx.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(t)
        h = self.tok(idx) + self.pos(torch.arange(t))
        return self.head(self.block(h, src_mask=mask))


def get_batch(data, cfg):
    ix = torch.randint(0, len(data) - cfg.context - 1, (cfg.batch,))
    x = torch.stack([data[i : i + cfg.context] for i in ix])
    y = torch.stack([data[i + 1 : i + cfg.context + 1] for i in ix])
    return x, y


def train(cfg):
    torch.manual_seed(1337)
    data = torch.tensor([STOI[c] for c in TEXT])
    model = TinyGPT(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    for it in range(cfg.iters):
        x, y = get_batch(data, cfg)
        logits = model(x)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
        model.zero_grad(set_to_none=True)
        opt.step()
        if it % 5 == 0:
            print(it, round(loss.item(), 4))
    return loss.item()


if __name__ == "__main__":
    print("last", train(Config()))
