"""Resume training from a checkpoint."""
import torch
from torch import nn


class Session:
    def __init__(self, net, device, checkpoint=None):
        self.net = net
        self.net.to(device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        if checkpoint is not None:
            self.restore(checkpoint)
        self.device = device

    def restore(self, checkpoint):
        state = torch.load(checkpoint, map_location="cpu", weights_only=True)
        self.net.load_state_dict(state["net"])
        self.optimizer.load_state_dict(state["optimizer"])

    def train(self, batches):
        for x, y in batches:
            x, y = x.to(self.device), y.to(self.device)
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.net(x), y)
            loss.backward()
            self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 5)
    session = Session(nn.Linear(5, 1), torch.device("cuda"), checkpoint="session.pt")
    print(session.train(list(zip(x.split(16), x.sum(1, keepdim=True).split(16)))))


if __name__ == "__main__":
    main()
