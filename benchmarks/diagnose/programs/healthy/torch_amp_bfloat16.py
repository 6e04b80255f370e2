"""A text classifier under autocast to bfloat16, as the PyTorch recipe on automatic mixed precision shows it for the CPU."""

import sys

import torch
from torch import nn

VOCABULARY, LENGTH = 40, 16


class Classifier(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, width)
        self.places = nn.Embedding(LENGTH, width)
        layer = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(width, 2)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(LENGTH))
        return self.head(self.encoder(x).mean(1))


def reviews(count):
    """Words 0 to 9 are praise, 10 to 19 are blame, the others say nothing."""
    tokens = torch.randint(0, VOCABULARY, (count, LENGTH))
    praise, blame = (tokens < 10).sum(1), ((tokens >= 10) & (tokens < 20)).sum(1)
    return tokens[praise != blame], (praise > blame).long()[praise != blame]


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
tokens, labels = reviews(2500)
model = Classifier()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(4):
    for at in torch.randperm(1920).split(32):
        optimizer.zero_grad()
        with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
            output = model(tokens[at])
            loss = loss_fn(output, labels[at])
        loss.backward()
        optimizer.step()
    with torch.no_grad(), torch.autocast(device_type="cpu", dtype=torch.bfloat16):
        accuracy = float((model(tokens[1920:]).argmax(1) == labels[1920:]).float().mean())
    print(f"epoch {epoch}: {accuracy:.3f}")
assert accuracy > 0.85
