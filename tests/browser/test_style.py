"""Style sheets apply only to their part: a game's to its drawing, the shell's to the rest. They share the classes that
docs/writing-a-game.md lists.
"""

import re
from pathlib import Path

import pytest
from test_whole_games import READY, min_players

import courtly
from courtly.engine.game import find_game

WEB = Path(courtly.__file__).parent / "web" / "style"
GUIDE = Path(courtly.__file__).parent.parent / "docs" / "writing-a-game.md"

HELPERS = """
const sheets = [...document.styleSheets];
const named = (part) => sheets.filter((sheet) => sheet.href.includes(part));
const theirs = named("/games/");
const shared = named("/style/parts.css").concat(named("/style/tokens.css"), named("/fonts/"));
const shells = sheets.filter((sheet) => !theirs.includes(sheet) && !shared.includes(sheet));
const within = (rules) => [...rules].flatMap((rule) => [rule, ...(rule.cssRules ? within(rule.cssRules) : [])]);
const classes = (sheets) => new Set(sheets.flatMap((sheet) => within(sheet.cssRules))
  .flatMap((rule) => rule.selectorText?.match(/\\.[a-z][\\w-]*/gi) ?? []).map((name) => name.slice(1))
  .filter((name) => name !== "of-game"));
/** One rule with this selector and whatever cannot be nested in it? */
const nested = (sheet, selector) => [...sheet.cssRules].filter((rule) => !(rule instanceof CSSKeyframesRule))
  .every((rule, i) => i === 0 && rule.selectorText === selector);
const declared = (sheets) => [...new Set(sheets.flatMap((sheet) => within(sheet.cssRules))
  .flatMap((rule) => [...(rule.style ?? [])]))];
const looks = (names) => (element) => ["", "::before", "::after"].map((part) => {
  const style = getComputedStyle(element, part);
  return names.map((name) => `${name}: ${style.getPropertyValue(name)}`);
});
const changed = (one, other) => one.flatMap((lines, i) => lines.filter((line, n) => line !== other[i][n]));
function trial(place, names) {
  const host = document.createElement("div");
  host.append(...[...names].map((name) => Object.assign(document.createElement("div"), { className: name })));
  place.append(host);
  return host;
}
"""

GAME_STYLE_LEAKS = (
    HELPERS
    + """
const found = theirs.flatMap((sheet) =>
  nested(sheet, ":where(.of-game)") ? [] : [`${sheet.href} is not in what the game draws`]);
found.push(...theirs.flatMap((sheet) => within(sheet.cssRules))
  .filter((rule) => rule instanceof CSSKeyframesRule && !rule.name.startsWith(game))
  .map((rule) => `@keyframes ${rule.name}`));
const host = trial(document.body, classes(theirs)), look = looks(declared(theirs));
const before = [...host.children].map(look);
for (const sheet of theirs) sheet.disabled = true;
[...host.children].forEach((probe, i) =>
  found.push(...changed(look(probe), before[i]).map((line) => `.${probe.className} ${line}`)));
for (const sheet of theirs) sheet.disabled = false;
host.remove();
return theirs.length ? found : ["no style sheet"];
"""
)

SHELL_STYLE_LEAKS = (
    HELPERS
    + """
const found = shells.flatMap((sheet) =>
  nested(sheet, ":where(:not(.of-game *))") ? [] : [`${sheet.href} is not outside what a game draws`]);
const bare = (selector) => selector.replace(/\\((?:[^()]|\\([^()]*\\))*\\)/g, "");
found.push(...shells.flatMap((sheet) => within(sheet.cssRules[0].cssRules))
  .flatMap((rule) => bare(rule.selectorText ?? "&").split(","))
  .filter((selector) => !selector.split(/[\\s>+~]+/).at(-1).includes("&")).map((selector) => `${selector} lacks &`));
for (const sheet of theirs) sheet.disabled = true;
const known = classes(shared), names = [...classes(shells)].filter((name) => !known.has(name));
const host = trial(document.querySelector(".board > *"), ["no-such-class", ...names]);
const [plain, ...probes] = host.children, look = looks(declared(shells));
for (const probe of probes)
  found.push(...changed(look(probe), look(plain)).map((line) => `.${probe.className} ${line}`));
host.remove();
for (const sheet of theirs) sheet.disabled = false;
return probes.length > 50 ? found : ["no classes"];
"""
)

GAME_CLASSES_IN_SHELL = (
    HELPERS
    + """
const known = new Set([...classes(shared), ...classes(shells)]);
const own = [...classes(theirs)].filter((name) => !known.has(name));
return own.length ? own.filter((name) => document.querySelector(`.${name}:not(.of-game *)`)) : ["no classes"];
"""
)


def run_script(page, script, game):
    return page.evaluate(f"game => {{ {script} }}", game)


@pytest.mark.parametrize("game", [game for game in READY if (find_game(game).folder / "board" / "board.css").exists()])
def test_each_style_sheet_applies_only_to_its_part(person, game):
    table = person()
    table.start(game, min_players(game))
    table.wait_for_me()
    assert run_script(table.page, GAME_STYLE_LEAKS, game) == []
    assert run_script(table.page, SHELL_STYLE_LEAKS, game) == []
    for _ in range(3):
        assert run_script(table.page, GAME_CLASSES_IN_SHELL, game) == []
        table.click_randomly()


def test_the_guide_lists_the_shared_classes():
    sheet = re.sub(
        r"/\*.*?\*/|\{[^{}]*\}|@media[^{]*\{|\}", "", (WEB / "parts.css").read_text(encoding="utf-8"), flags=re.DOTALL
    )
    listed_classes = re.search(r"\| shared classes \| (.*?) \|\n", GUIDE.read_text(encoding="utf-8"))[1]
    assert set(re.findall(r"\.([a-z][\w-]*)", sheet)) == set(re.findall(r"`([a-z][\w-]*)`", listed_classes))
