import torch
from torch import optim

from networks import Critic, Generator


class WGAN:
    def __init__(self, latent=4, lr=5e-4, clamp=0.05, n_critic=3):
        self.generator = Generator(latent)
        self.critic = Critic()
        self.clamp, self.n_critic = clamp, n_critic
        self.configure_optimizers(lr)

    def configure_optimizers(self, lr):
        self.opt_generator = optim.RMSprop(self.generator.parameters(), lr=lr)
        self.opt_critic = optim.RMSprop(self.critic.parameters(), lr=lr)

    def sample_real(self, n):
        x = torch.randn(n, 2)
        return torch.stack([x[:, 0], x[:, 0] ** 2 + 0.2 * x[:, 1]], dim=1)

    def critic_step(self, n=64):
        real = self.sample_real(n)
        fake = self.generator(torch.randn(n, self.generator.latent)).detach()
        loss = self.critic(fake).mean() - self.critic(real).mean()
        self.opt_critic.zero_grad()
        loss.backward()
        self.opt_critic.step()
        with torch.no_grad():
            for p in self.critic.parameters():
                p.clamp_(-self.clamp, self.clamp)
        return loss.item()

    def generator_step(self, n=64):
        loss = -self.critic(self.generator(torch.randn(n, self.generator.latent))).mean()
        self.opt_generator.zero_grad()
        loss.backward()
        self.opt_generator.step()
        return loss.item()

    def train(self, steps):
        for step in range(steps):
            for _ in range(self.n_critic):
                critic_loss = self.critic_step()
            generator_loss = self.generator_step()
            if step % 20 == 0:
                print(f"{step} critic {critic_loss:.5f} generator {generator_loss:.5f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    WGAN().train(80)
