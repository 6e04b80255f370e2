import torch

torch.manual_seed(0)

# synthetic data: y = 3 x1 - 2 x2 + 0.5
X = torch.randn(200, 2)
y = X @ torch.tensor([3.0, -2.0]) + 0.5 + 0.01 * torch.randn(200)

w = torch.randn(2, requires_grad=True)
b = torch.zeros(1, requires_grad=True)

learning_rate = 0.1
batch_size = 20


def model(x):
    return x @ w + b


def mse(prediction, target):
    return ((prediction - target) ** 2).mean()


for epoch in range(10):
    order = torch.randperm(len(X))
    for start in range(0, len(X), batch_size):
        index = order[start : start + batch_size]
        loss = mse(model(X[index]), y[index])
        loss.backward()
        with torch.no_grad():
            w -= learning_rate * w.grad
            b -= learning_rate * b.grad
        w.grad.zero_()
        b.grad.zero_()
    print(f"epoch {epoch} loss {loss.item():.6f}")

print("w", w.detach().numpy().round(3), "b", b.detach().numpy().round(3))
