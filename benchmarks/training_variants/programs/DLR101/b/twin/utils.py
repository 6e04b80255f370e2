import random

import numpy as np
import torch


def set_seed(seed):
    random.seed(seed)
    torch.manual_seed(seed)
    np.random.seed(seed)


def jitter(batch, amount=0.1):
    noise = np.random.normal(scale=amount, size=batch.shape)
    return batch + torch.from_numpy(noise).float()
