"""Several processes that train together under a launcher: what they tell each other, and what is made of it."""
