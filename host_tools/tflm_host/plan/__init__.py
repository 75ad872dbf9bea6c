"""Memory plans made on the host: for a model's metadata, and to compare planners by."""
