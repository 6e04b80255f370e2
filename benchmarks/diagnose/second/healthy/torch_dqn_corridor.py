"""Deep Q-learning in a small room with a pit: replay memory, target network, falling exploration."""

import argparse
import copy
import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

SIDE = 4
GOAL, PIT = (3, 3), (1, 2)
MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Room:
    def __init__(self, rng, limit=30):
        self.rng, self.limit = rng, limit

    def reset(self):
        free = [(r, c) for r in range(SIDE) for c in range(SIDE) if (r, c) not in (GOAL, PIT)]
        self.place, self.taken = self.rng.choice(free), 0
        return self.view()

    def view(self):
        picture = torch.zeros(SIDE, SIDE)
        picture[self.place] = 1.0
        return picture.flatten()

    def step(self, action):
        """The next view, the reward, whether the task ended, and whether time ran out."""
        row = min(max(self.place[0] + MOVES[action][0], 0), SIDE - 1)
        column = min(max(self.place[1] + MOVES[action][1], 0), SIDE - 1)
        self.place, self.taken = (row, column), self.taken + 1
        if self.place == GOAL:
            return self.view(), 1.0, True, False
        if self.place == PIT:
            return self.view(), -1.0, True, False
        return self.view(), -0.02, False, self.taken >= self.limit


class Memory:
    def __init__(self, size, rng):
        self.rows, self.rng = deque(maxlen=size), rng

    def add(self, *row):
        self.rows.append(row)

    def sample(self, count):
        views, actions, rewards, following, ended = zip(*self.rng.sample(self.rows, count), strict=True)
        return (
            torch.stack(views),
            torch.tensor(actions),
            torch.tensor(rewards),
            torch.stack(following),
            torch.tensor(ended, dtype=torch.float32),
        )


def network():
    return nn.Sequential(nn.Linear(SIDE * SIDE, 64), nn.ReLU(), nn.Linear(64, len(MOVES)))


def temporal_loss(online, target, batch, discount):
    views, actions, rewards, following, ended = batch
    values = online(views).gather(1, actions.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        best = online(following).argmax(1, keepdim=True)
        goal = rewards + discount * (1 - ended) * target(following).gather(1, best).squeeze(1)
    return F.smooth_l1_loss(values, goal)


@torch.no_grad()
def average_return(online, rng, games=40):
    room, total = Room(rng), 0.0
    for _ in range(games):
        view, over = room.reset(), False
        while not over:
            view, reward, ended, late = room.step(online(view).argmax().item())
            total += reward
            over = ended or late
    return total / games


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--episodes", type=int, default=300)
    parser.add_argument("--discount", type=float, default=0.95)
    parser.add_argument("--copy-every", type=int, default=100)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    room, memory = Room(rng), Memory(5000, rng)
    online = network()
    target = copy.deepcopy(online).requires_grad_(False)
    optimizer = torch.optim.Adam(online.parameters(), lr=2e-3)
    updates, returns = 0, deque(maxlen=50)
    for episode in range(1, args.episodes + 1):
        exploration = max(0.05, 1 - episode / 150)
        view, over, total = room.reset(), False, 0.0
        while not over:
            if rng.random() < exploration:
                action = rng.randrange(len(MOVES))
            else:
                with torch.no_grad():
                    action = online(view).argmax().item()
            following, reward, ended, late = room.step(action)
            memory.add(view, action, reward, following, ended)
            view, over, total = following, ended or late, total + reward
            if len(memory.rows) >= 200:
                loss = temporal_loss(online, target, memory.sample(64), args.discount)
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(online.parameters(), 10.0)
                optimizer.step()
                updates += 1
                if updates % args.copy_every == 0:
                    target.load_state_dict(online.state_dict())
        returns.append(total)
        if episode % 50 == 0:
            print(f"episode {episode}: return {sum(returns) / len(returns):.3f}, loss {loss.item():.5f}")
    print(f"return without exploration {average_return(online, random.Random(1)):.3f}")


if __name__ == "__main__":
    main()
