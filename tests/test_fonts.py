"""The first slices of our fonts have every character of our own texts."""

import re
from pathlib import Path

import pytest

import courtly

PACKAGE = Path(courtly.__file__).parent
RULE = re.compile(
    r"@font-face\{font-family:(Courtly \w+);font-weight:(\d+);font-style:(\w+);font-display:swap;.*?"
    r"src:url\((\S+?\.woff2)\).*?unicode-range:([^}]+)\}"
)
TEXT_FILES = [
    path
    for pattern in (
        "web/*.ftl",
        "web/*.js",
        "web/board-sdk/**/*.js",
        "web/components/**/*.js",
        "web/core/**/*.js",
        "web/game-view/**/*.js",
        "web/pages/**/*.js",
        "web/*.html",
        "web/style/*.css",
        "games/*/*.ftl",
        "games/*/*.md",
        "games/*/*.toml",
        "games/*/board/*.js",
        "games/*/board/*.css",
    )
    for path in sorted(PACKAGE.glob(pattern))
]


def slices():
    """Return (family, weight, style, file, characters) of each slice."""
    slices_found = []
    for family, weight, style, file, ranges in RULE.findall((PACKAGE / "web" / "fonts" / "fonts.css").read_text()):
        runs = [[int(end, 16) for end in run.removeprefix("U+").split("-")] for run in ranges.split(",")]
        slices_found.append(
            (family, int(weight), style, file, {character for run in runs for character in range(run[0], run[-1] + 1)})
        )
    return slices_found


FIRST_SLICES = [entry for entry in slices() if not re.search(r"-(more|rare|[0-9a-f]{4,5})\.woff2", entry[3])]


@pytest.mark.parametrize("latin, japanese", [("Courtly Sans", "Courtly Gothic"), ("Courtly Serif", "Courtly Mincho")])
@pytest.mark.parametrize("path", TEXT_FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_first_slices_have_every_character_of_our_own_texts(path, latin, japanese):
    available = set("\n\t").union(
        map(
            chr,
            set().union(
                *(
                    characters
                    for family, _, _, _, characters in FIRST_SLICES
                    if family in (latin, japanese, "Courtly Sans", "Courtly Signs")
                )
            ),
        )
    )
    missing = set(path.read_text(encoding="utf-8")) - available
    assert not missing, f"{''.join(sorted(missing))}: run python tools/vendor/vendor.py --words to cut the fonts"


def test_each_weight_of_a_family_has_the_same_characters():
    for family, weight, style, file, characters in FIRST_SLICES:
        if family != "Courtly Signs":
            assert all(characters == others for other, _, _, _, others in FIRST_SLICES if other == family), (
                family,
                weight,
                style,
                file,
            )


@pytest.mark.parametrize("family", ["Courtly Gothic", "Courtly Mincho"])
def test_the_slices_have_the_kanji_of_names(family):
    """Those of the first plane of JIS X 0213, and variants that Windows has. Devices show the rarer ones themselves."""
    plane = {c for c in range(0x4E00, 0xA000) if len(chr(c).encode("euc_jis_2004", "ignore")) == 2}
    expected = plane | {*map(ord, "鷲髙﨑𠮷濵瀨彅德嵜栁昻")}
    assert len(expected) > 7000
    for weight in {weight for other, weight, *_ in slices() if other == family}:
        available = [
            characters for other, other_weight, *_, characters in slices() if (other, other_weight) == (family, weight)
        ]
        missing = expected.difference(*available)
        assert not missing, "".join(map(chr, sorted(missing)))


def test_every_slice_exists_and_is_small():
    files = {file for *_, file, _ in slices()}
    folder = PACKAGE / "web" / "fonts"
    assert files == {path.name for path in folder.glob("*.woff2")}
    assert sum((folder / file).stat().st_size for file in files) < 6_000_000
    for *_, file, _ in slices():
        assert (folder / file).stat().st_size < 200_000, file
