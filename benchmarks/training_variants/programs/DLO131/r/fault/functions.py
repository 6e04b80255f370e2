"""A soft threshold with its own gradient."""
import torch


class SoftThreshold(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x)
        ctx.limit = limit
        return torch.sign(x) * torch.clamp(x.abs() - limit, min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        inside = (x.abs() > ctx.limit).to(grad_output.dtype)
        return grad_output * inside


soft_threshold = SoftThreshold.apply
