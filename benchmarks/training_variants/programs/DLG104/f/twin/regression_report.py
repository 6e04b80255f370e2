import torch
from sklearn.metrics import mean_absolute_error, r2_score
from torch import nn, optim


class Net(nn.Module):
    def __init__(self, n_features):
        super(Net, self).__init__()
        self.hid1 = nn.Linear(n_features, 20)
        self.hid2 = nn.Linear(20, 10)
        self.out = nn.Linear(10, 1)

    def forward(self, x):
        z = torch.tanh(self.hid1(x))
        z = torch.tanh(self.hid2(z))
        return self.out(z)


def fit(net, X, y, epochs=100):
    opt = optim.Adam(net.parameters(), lr=0.01)
    for _ in range(epochs):
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(X), y)
        loss.backward()
        opt.step()


def report(net, X, y):
    net.eval()
    with torch.no_grad():
        y_hat = net(X)
    y_true, y_pred = y.numpy().ravel(), y_hat.numpy().ravel()
    print("MAE %.4f" % mean_absolute_error(y_true, y_pred))
    print("R2  %.4f" % r2_score(y_true, y_pred))


if __name__ == "__main__":
    torch.manual_seed(4)
    X = torch.randn(200, 6)
    y = (X[:, :1] * 1.5 - X[:, 1:2] + 0.1 * torch.randn(200, 1))
    net = Net(6)
    fit(net, X[:150], y[:150])
    report(net, X[150:], y[150:])
