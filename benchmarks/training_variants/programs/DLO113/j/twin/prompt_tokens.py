import torch
from torch import nn


class TinyGPT(nn.Module):
    def __init__(self, vocab, dim=32):
        super().__init__()
        self.wte = nn.Embedding(vocab, dim)
        self.block = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.ln = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab, bias=False)

    def add_tokens(self, n):
        old_in, old_out = self.wte, self.head
        vocab, dim = old_in.weight.shape
        self.wte = nn.Embedding(vocab + n, dim)
        self.head = nn.Linear(dim, vocab + n, bias=False)
        with torch.no_grad():
            self.wte.weight[:vocab] = old_in.weight
            self.head.weight[:vocab] = old_out.weight

    def forward(self, ids):
        mask = nn.Transformer.generate_square_subsequent_mask(ids.size(1))
        return self.head(self.ln(self.block(self.wte(ids), src_mask=mask)))


def fine_tune(model, optimizer, data, steps):
    model.train()
    for _ in range(steps):
        batch = data[torch.randint(0, len(data), (8,))]
        logits = model(batch[:, :-1])
        loss = nn.functional.cross_entropy(logits.transpose(1, 2), batch[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    model = TinyGPT(vocab=20)
    model.add_tokens(2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    data = torch.randint(0, 20, (64, 8))
    data[:, 0], data[:, -1] = 20, 21
    before = model.wte.weight.detach().clone()
    loss = fine_tune(model, optimizer, data, steps=30)
    print(f"loss {loss:.3f}, embedding moved: {not torch.equal(before, model.wte.weight)}")
