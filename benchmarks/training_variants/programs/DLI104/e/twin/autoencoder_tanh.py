import torch
import torch.nn as nn


class DeepAutoencoder(nn.Module):
    def __init__(self, n_in=784):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_in, 256), nn.Tanh(), nn.Linear(256, 32), nn.Tanh())
        self.decoder = nn.Sequential(nn.Linear(32, 256), nn.Tanh(), nn.Linear(256, n_in), nn.Sigmoid())
        self.init_params()

    def init_params(self):
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                nn.init.normal_(layer.weight, mean=0, std=layer.in_features ** -0.5)
                nn.init.zeros_(layer.bias)

    def forward(self, x):
        return self.decoder(self.encoder(x))


def digits(n=128):
    base = (torch.rand(10, 784) > 0.7).float()
    return (base[torch.randint(0, 10, (n,))] * 0.9 + 0.05 * torch.rand(n, 784))


torch.manual_seed(15)
images = digits()
ae = DeepAutoencoder()
mse = nn.MSELoss()
optimizer = torch.optim.Adam(ae.parameters(), lr=1e-3)
for epoch in range(5):
    for batch in images.split(32):
        optimizer.zero_grad()
        loss = mse(ae(batch), batch)
        loss.backward()
        optimizer.step()
    print("epoch [{}/5], loss:{:.4f}".format(epoch + 1, loss.item()))
