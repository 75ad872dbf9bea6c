"""Where models run (here, on the unix port, emulated and real boards), and how to reach that."""
