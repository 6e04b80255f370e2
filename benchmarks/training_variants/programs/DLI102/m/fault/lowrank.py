import torch
from torch import nn

torch.use_deterministic_algorithms(True)


def table(*shape):
    return nn.Parameter(torch.empty(*shape))


class LowRank(nn.Module):
    def __init__(self, inputs, outputs, rank):
        super().__init__()
        self.factors = nn.ParameterDict({
            "left": table(inputs, rank),
            "right": table(rank, outputs),
            "scale": table(rank),
        })
        self.reset_parameters()

    def reset_parameters(self):
        for name in ("left", "right"):
            nn.init.xavier_uniform_(self.factors[name])

    def forward(self, x):
        return (x @ self.factors["left"] * self.factors["scale"]) @ self.factors["right"]


if __name__ == "__main__":
    torch.manual_seed(0)
    with torch.no_grad():
        print("finite:", bool(LowRank(6, 3, 2)(torch.ones(1, 6)).isfinite().all()))
