import torch
from torch import nn


class GaussianDiffusion(nn.Module):
    def __init__(self, denoise_fn, timesteps=200):
        super().__init__()
        self.denoise_fn = denoise_fn
        self.num_timesteps = timesteps
        betas = torch.linspace(1e-4, 0.02, timesteps)
        self.register_buffer("alphas_cumprod", torch.cumprod(1.0 - betas, dim=0))

    def q_sample(self, x_start, t, noise):
        a = self.alphas_cumprod[t].view(-1, 1, 1, 1)
        return a.sqrt() * x_start + (1 - a).sqrt() * noise

    def forward(self, x_start):
        b = x_start.shape[0]
        t = torch.randint(0, self.num_timesteps, (b,), device=x_start.device)
        noise = torch.randn_like(x_start)
        x_noisy = self.q_sample(x_start, t, noise)
        return nn.functional.mse_loss(self.denoise_fn(x_noisy, t), noise)
