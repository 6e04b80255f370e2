import torch
import torch.nn as nn
from torch.autograd import Function


class ReverseLayerF(Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        output = grad_output.neg() * ctx.alpha
        return output, None


class DANN(nn.Module):
    def __init__(self):
        super().__init__()
        self.feature = nn.Sequential(nn.Linear(12, 32), nn.ReLU())
        self.label_clf = nn.Linear(32, 3)
        self.domain_clf = nn.Sequential(nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, x, alpha):
        f = self.feature(x)
        return self.label_clf(f), self.domain_clf(ReverseLayerF.apply(f, alpha))


torch.manual_seed(0)
source, target = torch.randn(90, 12), torch.randn(90, 12) + 0.5
labels = source[:, :3].argmax(1)
model = DANN()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
ce = nn.CrossEntropyLoss()

for step in range(20):
    alpha = 2.0 / (1.0 + torch.exp(torch.tensor(-10.0 * step / 20)).item()) - 1
    cls, dom_s = model(source, alpha)
    _, dom_t = model(target, alpha)
    loss = ce(cls, labels) + ce(dom_s, torch.zeros(90, dtype=torch.long)) + ce(dom_t, torch.ones(90, dtype=torch.long))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.4f" % loss.item())
