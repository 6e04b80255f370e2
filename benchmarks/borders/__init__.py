"""What operations, handlers and properties do with values of every kind."""
