"""A small game for tests: sealed bids for open prizes from private hands, a look at another player's card, and a
reaction for which every player is asked.
"""
