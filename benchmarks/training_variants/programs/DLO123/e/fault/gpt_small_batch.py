import torch
import torch.nn as nn
from torch.nn import functional as F

torch.manual_seed(1337)
block_size, n_embd, vocab = 16, 32, 20
batch_size = 4
gradient_accumulation_steps = 4
learning_rate = 0.1
max_iters = 40

data = torch.arange(4000) % vocab


def get_batch():
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([data[i:i + block_size] for i in ix])
    y = torch.stack([data[i + 1:i + 1 + block_size] for i in ix])
    return x, y


class BigramPlus(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(vocab, n_embd)
        self.ff = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd))
        self.ln = nn.LayerNorm(n_embd)
        self.lm_head = nn.Linear(n_embd, vocab, bias=False)

    def forward(self, idx, targets):
        x = self.tok(idx)
        x = self.ln(x + self.ff(x))
        logits = self.lm_head(x)
        return logits, F.cross_entropy(logits.view(-1, vocab), targets.view(-1))


model = BigramPlus()
optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate)

for iter_num in range(max_iters):
    for micro_step in range(gradient_accumulation_steps):
        X, Y = get_batch()
        logits, loss = model(X, Y)
        loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)

with torch.no_grad():
    print(f"final loss {model(*get_batch())[1].item():.4f}")
