"""`courtly lab report`: what is measured of a game, as one page."""
