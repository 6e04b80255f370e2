import torch
from torch import nn


class LiGRU(nn.Module):
    """Light GRU without reset gate, unrolled by hand."""

    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.x2h = nn.Linear(input_size, 2 * hidden_size)
        self.h2h = nn.Linear(hidden_size, 2 * hidden_size, bias=False)

    def forward(self, x):
        T, B, _ = x.shape
        hs = torch.zeros(T + 1, B, self.hidden_size, device=x.device)
        for t in range(T):
            a, z = (self.x2h(x[t]) + self.h2h(hs[t])).chunk(2, dim=-1)
            z = torch.sigmoid(z)
            hs[t + 1] = z * hs[t] + (1 - z) * torch.tanh(a)
        return hs[1:]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = LiGRU(5, 16)
        self.fc = nn.Linear(16, 1)

    def forward(self, x):
        return self.fc(self.rnn(x)[-1])


if __name__ == "__main__":
    torch.manual_seed(0)
    data = torch.randn(12, 64, 5)
    target = data.sum((0, 2)).unsqueeze(1)
    model = Model()
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    for i in range(10):
        loss = nn.functional.mse_loss(model(data), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())
