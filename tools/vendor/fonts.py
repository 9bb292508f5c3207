"""Builds the web client's fonts: faces under the SIL Open Font License, as WOFF2 slices that a browser fetches only for
texts that need them.

Latin has one slice, and a second with rarer accents. Japanese has a first slice with every character of our own texts,
and slices by code point for names and chat. fonts.css declares them all, and fallback faces: fonts that are often
installed, scaled to the metrics of ours, so that the layout does not shift when ours arrive. The same sources and
versions of fonttools and Brotli give the same bytes.
"""

import io
from dataclasses import dataclass
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent / "fonts"
SOURCES = HERE / "node_modules"
GOOGLE = SOURCES / "@expo-google-fonts"
ROOT = HERE.parents[2]
OUT = ROOT / "courtly" / "web" / "fonts"
TEST_OUT = ROOT / "tests" / "browser" / "vendor"
WORDS = [
    "courtly/web/*.ftl",
    "courtly/web/*.js",
    "courtly/web/board-sdk/**/*.js",
    "courtly/web/components/**/*.js",
    "courtly/web/core/**/*.js",
    "courtly/web/game-view/**/*.js",
    "courtly/web/pages/**/*.js",
    "courtly/web/*.html",
    "courtly/web/style/*.css",
    "courtly/lab/*.ftl",
    "courtly/games/*/*.ftl",
    "courtly/games/*/*.md",
    "courtly/games/*/*.toml",
    "courtly/games/*/board/*.js",
    "courtly/games/*/board/*.css",
]
UNIFIED = (0x4E00, 0xA000)  # kanji
SLICE = 256  # code points of a Japanese slice

LATIN = {
    *range(0x20, 0x7F),
    *range(0xA0, 0x100),
    0x131,
    0x152,
    0x153,
    0x2C6,
    0x2DA,
    0x2DC,
    *range(0x2000, 0x2070),
    0x20AC,
    0x2122,
    0x2190,
    0x2191,
    0x2192,
    0x2193,
    0x2212,
    0x221E,
}
LATIN_EXT = {
    *range(0x100, 0x250),
    *range(0x2B0, 0x300),
    *range(0x300, 0x370),
    *range(0x1E00, 0x1F00),
    *range(0x20A0, 0x20C1),
    *range(0x2C60, 0x2C80),
} - LATIN
WIDE_SIGNS = set(map(ord, "‥…―※"))  # full-width in Japanese
KANA = {*range(0x3000, 0x3100), *range(0xFF01, 0xFFA0)}
OTHER_LANGUAGE = set(map(ord, "日本語言"))  # on every English page, which should not fetch a Japanese slice for it
# The kanji of names: those of the first plane of JIS X 0213, two bytes each, those that Windows adds, such as 髙, and
# 𠮷. Devices have the rarer ones of the second plane.
KANJI = {
    c
    for c in range(0x2E80, 0x30000)
    if len(chr(c).encode("euc_jis_2004", "ignore")) == 2 or chr(c).encode("cp932", "ignore") or chr(c) == "𠮷"
} - KANA


@dataclass(frozen=True)
class Face:
    family: str
    name: str  # prefix of its files
    source: str
    weight: int
    style: str = "normal"


LATIN_FACES = [
    Face("Courtly Sans", "sans", "source-sans-3/400Regular/SourceSans3_400Regular.ttf", 400),
    Face("Courtly Sans", "sans-bold", "source-sans-3/700Bold/SourceSans3_700Bold.ttf", 700),
    Face("Courtly Serif", "serif-bold", "vollkorn/700Bold/Vollkorn_700Bold.ttf", 700),
    Face("Courtly Serif", "serif-bold-italic", "vollkorn/700Bold_Italic/Vollkorn_700Bold_Italic.ttf", 700, "italic"),
]
JAPANESE_FACES = [
    Face("Courtly Gothic", "gothic", "noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf", 400),
    Face("Courtly Gothic", "gothic-bold", "noto-sans-jp/700Bold/NotoSansJP_700Bold.ttf", 700),
    Face("Courtly Mincho", "mincho-bold", "noto-serif-jp/700Bold/NotoSerifJP_700Bold.ttf", 700),
]
SIGN_FACES = [  # signs that no other face has, such as the die in "+⚄"
    Face("Courtly Signs", "signs", "noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf", 400),
    Face("Courtly Signs", "signs-2", "noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf", 400),
    Face("Courtly Signs", "signs-3", "noto-sans-math/400Regular/NotoSansMath_400Regular.ttf", 400),
]
LICENCES = {
    "gothic": "noto-sans-jp",
    "mincho": "noto-serif-jp",
    "sans": "source-sans-3",
    "serif": "vollkorn",
    "signs-2": "noto-sans-symbols-2",
    "signs-3": "noto-sans-math",
}

# Fallbacks for each of our families and weights: (our mean width, theirs, names of faces of about that width), in em
# for English. The widths are those of @capsizecss/metrics; DejaVu's are measured relative to them. Arial's names also
# match fonts with its metrics.
STAND_INS = {
    ("Courtly Sans", 400): [
        (
            0.418,
            0.445,
            [
                "Arial",
                "ArialMT",
                "Liberation Sans",
                "LiberationSans",
                "Helvetica Neue",
                "Helvetica",
                "Segoe UI",
                "Roboto",
            ],
        ),
        (0.418, 0.474, ["Noto Sans", "NotoSans-Regular"]),
        (0.418, 0.506, ["DejaVu Sans", "DejaVuSans", "Verdana"]),
    ],
    ("Courtly Sans", 700): [
        (
            0.443,
            0.476,
            [
                "Arial Bold",
                "Arial-BoldMT",
                "Liberation Sans Bold",
                "LiberationSans-Bold",
                "Helvetica Neue Bold",
                "HelveticaNeue-Bold",
                "Helvetica Bold",
                "Helvetica-Bold",
                "Segoe UI Bold",
                "SegoeUI-Bold",
                "Roboto Bold",
                "Roboto-Bold",
            ],
        ),
        (0.443, 0.503, ["Noto Sans Bold", "NotoSans-Bold"]),
        (0.443, 0.571, ["DejaVu Sans Bold", "DejaVuSans-Bold", "Verdana Bold", "Verdana-Bold"]),
    ],
    ("Courtly Serif", 700): [
        (0.473, 0.519, ["Georgia Bold", "Georgia-Bold"]),
        (
            0.473,
            0.433,
            ["Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold", "LiberationSerif-Bold"],
        ),
        (0.473, 0.512, ["Noto Serif Bold", "NotoSerif-Bold"]),
        (0.473, 0.565, ["DejaVu Serif Bold", "DejaVuSerif-Bold"]),
    ],
}
# for tests: the widest commonly installed fonts
WIDE_FACES = {"sans": "DejaVuSans", "sans-bold": "DejaVuSans-Bold", "serif-bold": "DejaVuSerif-Bold"}
ASCENT, DESCENT = 0.95, 0.25  # of all faces, in em: centres both kanji and capitals in their line


def build_fonts(whole: bool) -> list[Path]:
    """Build all fonts, or (unless `whole`) only the slices that depend on our own texts. Return the paths of all
    files."""
    OUT.mkdir(parents=True, exist_ok=True)
    if whole:
        for old in OUT.iterdir():
            old.unlink()
    words = {
        ord(character)
        for pattern in WORDS
        for path in ROOT.glob(pattern)
        for character in path.read_text(encoding="utf-8")
    }
    rules, covered_characters = [], set()
    for face in LATIN_FACES:
        known_characters = characters_of(face)
        covered_characters |= (
            known_characters if face.family == "Courtly Sans" else set()
        )  # all other families fall back on it
        rules += [
            cut_slice(face, f"{face.name}-more", known_characters & LATIN_EXT),
            cut_slice(face, face.name, known_characters & (LATIN | (words - WIDE_SIGNS - KANA))),
        ]
    for face in JAPANESE_FACES:
        first = characters_of(face) & (KANA | WIDE_SIGNS | {c for c in words if c >= 0x2E80})
        rules += cut_remaining_kanji(face, whole)
        rules.append(cut_slice(face, face.name, first))  # of two faces with a character, the later one is used
        covered_characters |= first
    for face in SIGN_FACES:
        signs = (words - covered_characters | (OTHER_LANGUAGE if face.name == "signs" else set())) & characters_of(face)
        rules.append(cut_slice(face, face.name, signs))
        covered_characters |= signs
    rules += [
        stand_in_rule(family, weight, place)
        for family, weight in STAND_INS
        for place in range(len(STAND_INS[family, weight]))
    ]
    (OUT / "fonts.css").write_text("/* Written by tools/vendor/fonts.py. */\n" + "".join(rules))
    for own_name, source_name in LICENCES.items():
        (OUT / f"LICENSE-{own_name}.txt").write_text((GOOGLE / source_name / "LICENSE_FONT").read_text())
    return [*OUT.iterdir(), *build_wide_faces()]


def build_wide_faces() -> list[Path]:
    for own_name, source_name in WIDE_FACES.items():
        cut_font(
            SOURCES / "dejavu-fonts-ttf" / "ttf" / f"{source_name}.ttf",
            TEST_OUT / f"wide-{own_name}.woff2",
            LATIN | LATIN_EXT,
        )
    licence = TEST_OUT / "LICENSE-wide.txt"
    licence.write_text((SOURCES / "dejavu-fonts-ttf" / "LICENSE").read_text())
    return [licence, *(TEST_OUT / f"wide-{own_name}.woff2" for own_name in WIDE_FACES)]


def characters_of(face: Face) -> set[int]:
    return set(TTFont(GOOGLE / face.source, lazy=True).getBestCmap())


def cut_remaining_kanji(face: Face, is_cutting: bool) -> list[str]:
    """Return rules for slices of all kanji, independent of our texts so that they never change: by code point, and one
    for those outside the unified block. Write the slices if `is_cutting`."""
    kanji = characters_of(face) & KANJI
    unified_slices = {f"{face.name}-{start:x}": range(start, start + SLICE) for start in range(*UNIFIED, SLICE)}
    slices = {
        f"{face.name}-rare": kanji.difference(*unified_slices.values()),
        **{name: kanji & {*part} for name, part in unified_slices.items()},
    }
    if is_cutting:
        whole_font = io.BytesIO()
        cut_font(GOOGLE / face.source, whole_font, kanji, flavor=None)  # first reduce the large source
        for name, part in slices.items():
            whole_font.seek(0)
            cut_font(whole_font, OUT / f"{name}.woff2", part)
    return [
        font_face_rule(face, name, [unified_slices[name]] if name in unified_slices else merge_ranges(part))
        for name, part in slices.items()
    ]


def cut_slice(face: Face, name: str, code_points: set[int]) -> str:
    cut_font(GOOGLE / face.source, OUT / f"{name}.woff2", code_points)
    return font_face_rule(face, name, merge_ranges(code_points))


def font_face_rule(face: Face, name: str, ranges: list[range]) -> str:
    return (
        f"@font-face{{font-family:{face.family};font-weight:{face.weight};font-style:{face.style};font-display:swap;"
        f"{metric_overrides(1)}src:url({name}.woff2)format('woff2');unicode-range:"
        f"{','.join(map(range_text, ranges))}}}\n"
    )


def cut_font(
    source: Path | io.BytesIO, out: Path | io.BytesIO, code_points: set[int], flavor: str | None = "woff2"
) -> None:
    """Write a font with only these characters, and with lining tabular figures."""
    font = TTFont(source, recalcTimestamp=False)
    use_tabular_figures(font)
    features = [] if code_points & KANA or code_points & KANJI else ["ccmp", "kern", "liga", "locl", "mark"]
    options = Options(layout_features=features, hinting=False, name_IDs=[0, 13, 14], notdef_outline=True)
    options.drop_tables += ["BASE", "STAT", "VORG", "vhea", "vmtx"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=code_points)
    subsetter.subset(font)
    font.flavor = flavor
    font.save(out)


def use_tabular_figures(font: TTFont) -> None:
    """Map digits to lining tabular glyphs, since `font:` in a style sheet resets `font-variant-numeric`."""
    features = font["GSUB"].table.FeatureList.FeatureRecord if "GSUB" in font else []
    swaps = []
    for tag in ("lnum", "tnum"):
        found = next((record.Feature for record in features if record.FeatureTag == tag), None)
        for index in found.LookupListIndex if found else []:
            tables = (
                getattr(table, "ExtSubTable", table) for table in font["GSUB"].table.LookupList.Lookup[index].SubTable
            )
            swaps += [table.mapping for table in tables if hasattr(table, "mapping")]
    for table in font["cmap"].tables:
        for figure in range(0x30, 0x3A):
            for swap in swaps:
                if figure in table.cmap:
                    table.cmap[figure] = swap.get(table.cmap[figure], table.cmap[figure])


def stand_in_rule(family: str, weight: int, place: int) -> str:
    own_name, source_name, names = STAND_INS[family, weight][place]
    scale = own_name / source_name
    local = ",".join(f"local('{name}')" for name in names)
    font = f"font-family:{family} {place + 1};font-weight:{weight}"
    return f"@font-face{{{font};{metric_overrides(scale)}size-adjust:{scale:.1%};src:{local}}}\n"


def metric_overrides(scale: float) -> str:
    return f"ascent-override:{ASCENT / scale:.1%};descent-override:{DESCENT / scale:.1%};line-gap-override:0%;"


def merge_ranges(code_points: set[int]) -> list[range]:
    found: list[range] = []
    for character in sorted(code_points):
        if found and found[-1].stop == character:
            found[-1] = range(found[-1].start, character + 1)
        else:
            found.append(range(character, character + 1))
    return found


def range_text(run: range) -> str:
    return f"U+{run.start:x}" + (f"-{run.stop - 1:x}" if len(run) > 1 else "")
