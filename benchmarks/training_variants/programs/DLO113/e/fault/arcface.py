import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class ArcMarginProduct(nn.Module):
    def __init__(self, in_features, out_features, s=16.0, m=0.2):
        super().__init__()
        self.s = s
        self.cos_m, self.sin_m = math.cos(m), math.sin(m)
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, emb, label):
        cosine = F.linear(F.normalize(emb), F.normalize(self.weight)).clamp(-0.999, 0.999)
        sine = torch.sqrt(1.0 - cosine ** 2)
        phi = cosine * self.cos_m - sine * self.sin_m
        one_hot = F.one_hot(label, cosine.size(1)).float()
        return self.s * torch.where(one_hot.bool(), phi, cosine)


class Embedder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(30, 64), nn.PReLU(), nn.Linear(64, dim), nn.BatchNorm1d(dim))

    def forward(self, x):
        return self.net(x)
