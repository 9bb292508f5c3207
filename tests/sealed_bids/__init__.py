"""A tiny game for tests: sealed bids for open prizes from private hands, a look at another's card, and a reaction
everybody is asked for."""
