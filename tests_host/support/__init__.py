"""What tests share: builders of models, judges, generators of random ones, scripts for boards."""
