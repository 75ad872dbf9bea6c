"""What must come out: models of kernels and of plans that share no code with them."""
