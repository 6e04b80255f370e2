import torch
import torch.nn as nn

TEXT = "the quick brown fox jumps over the lazy dog " * 40
chars = sorted(set(TEXT))
index = {c: i for i, c in enumerate(chars)}
data = torch.tensor([index[c] for c in TEXT])


class CharRNN(nn.Module):
    def __init__(self, n_chars, hidden_size=48):
        super().__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(n_chars, 16)
        self.gru = nn.GRU(16, hidden_size, batch_first=True)
        self.fc = nn.Linear(hidden_size, n_chars)

    def forward(self, x, hidden):
        out, hidden = self.gru(self.embedding(x), hidden)
        return self.fc(out), hidden

    def init_hidden(self, batch_size):
        return torch.zeros(1, batch_size, self.hidden_size)


torch.manual_seed(0)
BATCH, SEQ = 8, 20
n_steps = (len(data) - 1) // (BATCH * SEQ)
xs = data[: BATCH * SEQ * n_steps].view(BATCH, -1)
ys = data[1 : BATCH * SEQ * n_steps + 1].view(BATCH, -1)

model = CharRNN(len(chars))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

for epoch in range(3):
    model.train()
    hidden = model.init_hidden(BATCH)
    for step in range(n_steps):
        x = xs[:, step * SEQ : (step + 1) * SEQ]
        y = ys[:, step * SEQ : (step + 1) * SEQ]
        optimizer.zero_grad()
        hidden = hidden.detach()
        output, hidden = model(x, hidden)
        loss = criterion(output.reshape(-1, len(chars)), y.reshape(-1))
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
