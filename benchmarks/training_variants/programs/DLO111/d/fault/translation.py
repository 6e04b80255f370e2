import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


class NoamTrainer:
    """Copy task with a transformer; inverse square root schedule."""

    def __init__(self, model, d_model, warmup):
        self.model = model
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
        scale = d_model**-0.5
        self.schedule = LambdaLR(
            self.optimizer, lambda s: scale * min((s + 1) ** -0.5, (s + 1) * warmup**-1.5)
        )

    def step(self, src, tgt):
        logits = self.model(src, tgt[:, :-1])
        loss = self.criterion(logits.reshape(-1, logits.size(-1)), tgt[:, 1:].reshape(-1))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.schedule.step()
        self.optimizer.step()
        return loss.item()


class Copier(nn.Module):
    def __init__(self, vocab, d_model):
        super().__init__()
        self.emb = nn.Embedding(vocab, d_model)
        self.transformer = nn.Transformer(d_model, 2, 1, 1, 32, dropout=0.0, batch_first=True)
        self.proj = nn.Linear(d_model, vocab)

    def forward(self, src, tgt):
        causal = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        return self.proj(self.transformer(self.emb(src), self.emb(tgt), tgt_mask=causal))


if __name__ == "__main__":
    torch.manual_seed(1)
    trainer = NoamTrainer(Copier(12, 16), d_model=16, warmup=10)
    for it in range(20):
        src = torch.randint(1, 12, (16, 6))
        value = trainer.step(src, torch.cat([torch.zeros(16, 1, dtype=torch.long), src], dim=1))
        if it % 5 == 0:
            print(f"{it:3d} {value:.4f} {trainer.schedule.get_last_lr()[0]:.5f}")
