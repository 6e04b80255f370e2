"""A tagger for toy sentences, trained by a Trainer with hooks."""

import torch
from torch import nn

VOCAB, TAGS, LENGTH = 50, 5, 12


class Tagger(nn.Module):
    def __init__(self, dim=32, hidden=48):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, dim)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, TAGS)

    def forward(self, tokens):
        states, _ = self.lstm(self.embedding(tokens))
        return self.out(states)


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss_fn = nn.CrossEntropyLoss()
        self.grad_norm = 0.0

    def _reset(self):
        for p in self.model.parameters():
            p.grad = None

    def _log_gradients(self):
        norms = [p.grad.norm() for p in self.model.parameters() if p.grad is not None]
        self.grad_norm = torch.stack(norms).norm().item()

    def training_step(self, tokens, tags):
        self._reset()
        logits = self.model(tokens)
        loss = self.loss_fn(logits.flatten(0, 1), tags.flatten())
        loss.backward()
        self._log_gradients()
        self.optim.step()
        return loss.item()


def make_batches(count, size=16):
    for _ in range(count):
        tokens = torch.randint(0, VOCAB, (size, LENGTH))
        yield tokens, tokens % TAGS


if __name__ == "__main__":
    torch.manual_seed(3)
    trainer = Trainer(Tagger(), lr=5e-3)
    trainer.model.train()
    for step, (tokens, tags) in enumerate(make_batches(40)):
        loss = trainer.training_step(tokens, tags)
        if step % 10 == 9:
            print(f"step {step + 1} loss {loss:.4f} grad {trainer.grad_norm:.4f}")
