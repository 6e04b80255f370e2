import torch


def run_epoch(model, loader, criterion, optimizer=None):
    """One pass over the loader; trains if an optimizer is given."""
    training = optimizer is not None
    model.train(training)
    total, hits, seen = 0.0, 0, 0
    for xb, yb in loader:
        logits = model(xb)
        loss = criterion(logits, yb)
        if training:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item() * len(xb)
        hits += (logits.argmax(-1) == yb).sum().item()
        seen += len(xb)
    return total / seen, hits / seen
