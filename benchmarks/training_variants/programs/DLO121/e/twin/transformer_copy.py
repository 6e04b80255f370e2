import math
import torch
from torch import nn

torch.manual_seed(10)
V, L, D = 12, 8, 32


class CopyTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, D)
        self.pos = nn.Parameter(torch.randn(L, D) * 0.02)
        layer = nn.TransformerEncoderLayer(D, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1)
        self.out = nn.Linear(D, V)

    def forward(self, x):
        return self.out(self.encoder(self.emb(x) * math.sqrt(D) + self.pos))


model = CopyTransformer()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
loss_fn = nn.CrossEntropyLoss()

for step in range(30):
    x = torch.randint(0, V, (16, L))
    logits = model(x)
    loss = loss_fn(logits.view(-1, V), x.view(-1))

    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
    optimizer.step()
    if step % 10 == 9:
        print(f"step {step + 1} loss {loss.item():.4f}")
