import torch


def discounted(rewards, gamma):
    out, running = [], 0.0
    for r in reversed(rewards):
        running = r + gamma * running
        out.insert(0, running)
    returns = torch.tensor(out)
    return (returns - returns.mean()) / (returns.std() + 1e-6)


def update_policy(optimizer, log_probs, rewards, gamma=0.95):
    returns = discounted(rewards, gamma)
    policy_loss = -(torch.stack(log_probs) * returns).sum()
    optimizer.zero_grad()
    policy_loss.backward()
    optimizer.step()
    return float(policy_loss)
