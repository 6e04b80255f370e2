import torch
import torch.nn as nn


class Matcher(nn.Module):
    def __init__(self, dim=10):
        super().__init__()
        self.tower = nn.Sequential(nn.Linear(dim, 20), nn.ReLU(), nn.Linear(20, 6))

    def forward(self, left, right):
        return torch.cosine_similarity(self.tower(left), self.tower(right))


def train(path):
    net = nn.DataParallel(Matcher())
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    anchor = torch.randn(64, 10)
    partner = anchor + 0.2 * torch.randn(64, 10)
    for step in range(20):
        optimizer.zero_grad()
        near = net(anchor, partner)
        far = net(anchor, partner.roll(1, 0))
        loss = torch.relu(0.5 - near + far).mean()
        loss.backward()
        optimizer.step()
    torch.save(net.state_dict(), path)
    return loss.item()


def compare(path, left, right):
    net = Matcher()
    net.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    net.eval()
    with torch.no_grad():
        return net(left, right)


if __name__ == "__main__":
    torch.manual_seed(0)
    print("hinge %.4f" % train("matcher.pth"))
    print(compare("matcher.pth", torch.randn(3, 10), torch.randn(3, 10)))
