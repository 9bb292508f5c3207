"""How text stands on the screen: what sticks out of its box, which words are broken, which lines hold next to nothing."""

TEXTS = r"""
const within = document.querySelector(selector), box = within.getBoundingClientRect(), found = [];
const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest(".unseen, option");
const rows = (range) => Map.groupBy([...range.getClientRects()].filter((rect) => rect.width > 1), (rect) => Math.round(rect.bottom / 4)).size;
"""

SPILLS = TEXTS + r"""
if (within.scrollWidth > within.clientWidth) found.push(`${selector} is ${within.scrollWidth} px wide in ${within.clientWidth}`);
for (const element of within.querySelectorAll("*")) {
  const rect = element.getBoundingClientRect();
  if (seen(element) && rect.width && !element.parentElement.closest(".wide") && (rect.left < box.left - 1 || rect.right > box.right + 1)) found.push(`${element.outerHTML.slice(0, 90)} from ${rect.left} to ${rect.right}`);
}
return found;
"""

BROKEN = TEXTS + r"""
const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT), range = document.createRange();
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  if (!seen(node.parentElement) || node.parentElement.closest("code, .name")) continue;
  for (const word of node.nodeValue.matchAll(/[\p{Script=Latin}\d’]+/gu)) {
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    if (rows(range) > 1) found.push(word[0]);
  }
}
return found;
"""

LONELY = TEXTS + r"""
const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT), range = document.createRange();
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const text = node.nodeValue.trimEnd();
  if (!seen(node.parentElement) || text.length < 6) continue;
  range.setStart(node, 0);
  range.setEnd(node, text.length);
  const before = rows(range);
  range.setEnd(node, text.length - 2);
  if (before > rows(range)) found.push(text);
}
return found;
"""


def spills(page, selector="body"):
    """What is wider than this element, one line each."""
    return page.evaluate(f"selector => {{ {SPILLS} }}", selector)


def broken(page, selector="body"):
    """Words and numbers broken inside, in this element."""
    return page.evaluate(f"selector => {{ {BROKEN} }}", selector)


def lonely(page, selector="body"):
    """Texts of which the last line has two characters or fewer."""
    return page.evaluate(f"selector => {{ {LONELY} }}", selector)
