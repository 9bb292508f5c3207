"""Doors of the research world: the same games through the interfaces that others have agreed on. Nothing here knows
any game. What it needs comes with `pip install "courtly[research]"`.
"""

from importlib.util import find_spec


def need(*modules: str) -> None:
    """ModuleNotFoundError says how to get what is missing."""
    for name in modules:
        if find_spec(name) is None:
            raise ModuleNotFoundError(f'there is no {name}: pip install "courtly[research]"', name=name)
