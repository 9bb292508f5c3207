"""Elements that are wider than their box although they could scroll, and lines with hardly any text. Text that is cut,
covered or broken is in layout.py.
"""

TEXT_HELPERS = r"""
const container = document.querySelector(selector), box = container.getBoundingClientRect(), findings = [];
const isVisible = (element) =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest(".unseen, option");
const boxes = (range) => [...range.getClientRects()].filter((rect) => rect.width > 1);
const rows = (range) => Map.groupBy(boxes(range), (rect) => Math.round(rect.bottom / 4)).size;
"""

OVERFLOW_FINDINGS = (
    TEXT_HELPERS
    + r"""
if (container.scrollWidth > container.clientWidth)
  findings.push(`${selector} is ${container.scrollWidth} px wide in ${container.clientWidth}`);
for (const element of container.querySelectorAll("*")) {
  const rect = element.getBoundingClientRect();
  const outside = rect.left < box.left - 1 || rect.right > box.right + 1;
  if (isVisible(element) && rect.width && !element.parentElement.closest(".wide, .example .frame") && outside)
    findings.push(`${element.outerHTML.slice(0, 90)} from ${rect.left} to ${rect.right}`);
}
return findings;
"""
)

SHORT_LAST_LINES = (
    TEXT_HELPERS
    + r"""
const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT), range = document.createRange();
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const text = node.nodeValue.trimEnd();
  if (!isVisible(node.parentElement) || text.length < 6) continue;
  range.setStart(node, 0);
  range.setEnd(node, text.length);
  const before = rows(range);
  range.setEnd(node, text.length - 2);
  if (before > rows(range)) findings.push(text);
}
return findings;
"""
)


def overflow_findings(page, selector="body"):
    """Return elements that are wider than this element, one line each."""
    return page.evaluate(f"selector => pageControl.whilePainted(() => {{ {OVERFLOW_FINDINGS} }})", selector)


def short_last_lines(page, selector="body"):
    """Return texts whose last line has at most two characters."""
    return page.evaluate(f"selector => pageControl.whilePainted(() => {{ {SHORT_LAST_LINES} }})", selector)
