/* Returns text that is drawn smaller than allowed, by the element that contains it: see text_sizes.py. */
(least) => {
  const findings = {};
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const scale = (element) => {
    if (element instanceof SVGGraphicsElement) {
      const { c, d } = element.getScreenCTM();
      return Math.hypot(c, d); // the height: a name on a map may be drawn narrower
    }
    let box = element;
    while (box && !box.offsetWidth) box = box.parentElement;
    const drawnWidth = box ? box.getBoundingClientRect().width : 0;
    const layoutWidth = box ? box.offsetWidth : 0;
    // layout sizes are rounded to whole pixels
    return Math.abs(drawnWidth - layoutWidth) > Math.max(0.5, 0.05 * layoutWidth) ? drawnWidth / layoutWidth : 1;
  };
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const text = walk.currentNode.nodeValue.trim();
    if (
      !text ||
      element.closest(".unseen, script, style, noscript, title, desc") ||
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    if (range.getBoundingClientRect().width < 1) continue;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale(element);
    const name = [element.parentElement, element]
      .map((one) => [one.localName, ...[...one.classList].slice(0, 2)].join("."))
      .join(" > ");
    if (size < least - 0.05) findings[`${size.toFixed(1)} px  ${name}`] ??= text.slice(0, 20);
  }
  return findings;
};
