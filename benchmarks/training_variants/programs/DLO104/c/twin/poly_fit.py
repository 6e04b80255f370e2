import math

import torch

torch.manual_seed(0)
x = torch.linspace(-math.pi, math.pi, 400)
y = torch.sin(x)
xx = torch.stack([x, x**2, x**3], dim=1)

model = torch.nn.Sequential(torch.nn.Linear(3, 1), torch.nn.Flatten(0, 1))
loss_fn = torch.nn.MSELoss(reduction="mean")
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-2)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=50, gamma=0.5)

for t in range(200):
    y_pred = model(xx)
    loss = loss_fn(y_pred, y)
    if t % 50 == 49:
        print(t, loss.item(), optimizer.param_groups[0]["lr"])

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()

linear_layer = model[0]
print(f"y = {linear_layer.bias.item():.4f} + {linear_layer.weight[:, 0].item():.4f} x")
