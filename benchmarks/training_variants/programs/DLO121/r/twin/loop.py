"""The update of a training loop, with options."""
from torch.nn.utils import clip_grad_norm_ as clip


def optimise(loss, model, optimizer, max_norm=None):
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    if max_norm is not None:
        clip(model.parameters(), max_norm)
    optimizer.step()
