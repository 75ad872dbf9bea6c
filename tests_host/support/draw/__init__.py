"""What models of one operator and operator parameters are drawn with."""
