"""Every word of the shell; what is asked of a game's words is asked in courtly/testing/words.py."""

import re
from pathlib import Path

import courtly
from courtly.bots import LEVELS, RANDOM
from courtly.testing.words import catalogue, narrow_signs, said_in_one_language

HOUSE = Path(courtly.__file__).parent
WEB = HOUSE / "web"


def test_the_languages_say_the_same():
    assert list(said_in_one_language(WEB)) == []


def test_signs_beside_japanese_are_as_wide_as_its_letters():
    assert list(narrow_signs(WEB)) == []


SHELL = [path for path in WEB.rglob("*.js") if "vendor" not in path.parts]
FAMILIES = re.compile(
    r"form-(json|discord|slack|ntfy)|mail-(confirm|stop)(-do|-done)?|help-(at-once|more|less|open|denies|helps)"
    r"|device-.+|bot-.+|tables-(mine|open|live)|proof-(working|failed)|courtesy-.+"
    r"|colour-(gules|azure|vert|purpure|tenne)|error-.+"
)


def test_the_shell_says_nothing_in_vain_and_lacks_nothing():
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in [*sorted(SHELL), HOUSE / "review" / "said.py", HOUSE / "server" / "notices.py"]
    )
    quoted = set(re.findall(r'"([a-z][a-z0-9-]*)"', source))
    texts = set(catalogue(WEB, "en"))
    assert [text for text in sorted(texts - quoted) if not FAMILIES.fullmatch(text)] == []
    assert not set(re.findall(r'\b(?:t|say)\(\s*"([^"]+)"', source)) - texts


def test_every_error_has_its_words():
    raised = set()
    for folder, pattern in ((HOUSE, "**/*.py"), (WEB, "**/*.js")):
        for path in folder.glob(pattern):
            raised |= set(re.findall(r'"(error-[a-z-]+)"', path.read_text(encoding="utf-8")))
    said = {text for text in catalogue(WEB, "en") if text.startswith("error-")}
    assert raised == said


def test_every_bot_has_a_name():
    said = catalogue(WEB, "en")
    assert all(said[f"bot-{name}"] and said[f"bot-{name}.does"] for name in (*LEVELS, RANDOM))
