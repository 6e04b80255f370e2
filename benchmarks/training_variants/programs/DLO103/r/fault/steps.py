"""One pass over the data."""


def train_one_epoch(network, loader, criterion, solver, log_every=5):
    running = 0.0
    for step, (inputs, targets) in enumerate(loader):
        solver.zero_grad()
        outputs = network(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        running += loss.item()
        if step % log_every == 0:
            print(f"  step {step}: {loss.item():.4f}")
    solver.step()
    return running / len(loader)
