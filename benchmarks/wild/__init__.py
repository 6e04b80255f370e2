"""dllint on public repositories that nobody tuned it to: what it says of them, judged finding by finding."""
