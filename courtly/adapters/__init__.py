"""Doors of the research world: the same games through the interfaces that others have agreed on. Nothing here knows
any game. What it needs comes with `pip install "courtly[research]"`.
"""
