"""What is hidden and nobody has a right guess of; see courtly/testing/posterior.py."""

UNSEEN = {"drawn": "what others know"}
