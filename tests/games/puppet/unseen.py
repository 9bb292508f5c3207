"""What is hidden and nobody has a right guess of; see courtly/testing/checks/belief_check.py."""

UNSEEN = {"plan": "made in silence", "possible": "what others know"}
