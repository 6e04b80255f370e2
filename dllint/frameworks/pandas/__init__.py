"""What pandas names mean: tables and columns as arrays whose columns may have names."""
