import torch
from torch import nn


class VQVAE(nn.Module):
    def __init__(self, d=16, k=8, z=4):
        super().__init__()
        self.enc = nn.Linear(d, z)
        self.dec = nn.Linear(z, d)
        self.codebook = nn.Embedding(k, z)

    def forward(self, x):
        z = self.enc(x)
        idx = torch.cdist(z, self.codebook.weight).argmin(1)
        q = self.codebook(idx)
        commit = (z - q.detach()).pow(2).mean() + (z.detach() - q).pow(2).mean()
        return self.dec(z + (q - z).detach()), commit


class Solver(object):
    def __init__(self, config):
        self.config = config
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.build_model()

    def build_model(self):
        self.model = VQVAE()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=self.config["lr"])

    def train(self, data):
        self.model.to(self.device)
        for epoch in range(self.config["epochs"]):
            for x in data.split(self.config["batch_size"]):
                x = x.to(self.device)
                rec, commit = self.model(x)
                loss = nn.functional.mse_loss(rec, x) + 0.25 * commit
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            print("epoch", epoch, "loss", round(loss.item(), 4))


if __name__ == "__main__":
    torch.manual_seed(0)
    Solver({"lr": 1e-2, "epochs": 4, "batch_size": 32}).train(torch.randn(128, 16))
