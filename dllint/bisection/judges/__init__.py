"""Who decides whether a model is good: a metric, a command, a person."""
