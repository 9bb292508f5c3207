/* Returns text that is drawn smaller than allowed, by the element that contains it: see text_sizes.py. */
(least) => {
  const found = {};
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const scale = (element) => {
    if (element instanceof SVGGraphicsElement) {
      const { c, d } = element.getScreenCTM();
      return Math.hypot(c, d); // the height: a name on a map may be drawn narrower
    }
    let box = element;
    while (box && !box.offsetWidth) box = box.parentElement;
    const drawn = box ? box.getBoundingClientRect().width : 0;
    const laid = box ? box.offsetWidth : 0;
    // layout sizes are rounded to whole pixels
    return Math.abs(drawn - laid) > Math.max(0.5, 0.05 * laid) ? drawn / laid : 1;
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
    if (size < least - 0.05) found[`${size.toFixed(1)} px  ${name}`] ??= text.slice(0, 20);
  }
  return found;
};
