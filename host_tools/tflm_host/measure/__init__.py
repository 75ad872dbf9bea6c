"""What models and firmware take, as the tables of bench/ and boards/*/sizes.csv hold it."""
