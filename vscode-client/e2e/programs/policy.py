import torch
import torch.nn.functional as F
from torch import nn

policy = nn.Linear(16, 4)
logits = policy(torch.randn(128, 16))
log_probabilities = torch.log(F.softmax(logits, dim=-1))
loss = -log_probabilities.mean()
loss.backward()
