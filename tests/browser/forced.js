/* Returns what cannot be distinguished in forced colours: run in the page by test_forced_colours.py. */
() => {
  const light = (colour) => {
    const [r, g, b, opaque = 1] = colour.match(/[\d.]+/g).map((part) => Number(part) / 255);
    const linear = (part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return opaque ? 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) : null;
  };
  const canvas = light(getComputedStyle(document.documentElement).backgroundColor);
  const strong = (colour) => {
    const it = light(colour);
    return it !== null && (Math.max(it, canvas) + 0.05) / (Math.min(it, canvas) + 0.05) >= 3;
  };
  const shown = (selector) =>
    [...document.querySelectorAll(selector)].filter(
      (thing) => thing.checkVisibility({ visibilityProperty: true }) && !thing.closest(".unseen"),
    );
  const sides = ["Top", "Right", "Bottom", "Left"];
  const edged = (thing) => {
    const style = getComputedStyle(thing);
    const lined = (side) => style[`border${side}Style`] !== "none" && strong(style[`border${side}Color`]);
    return (
      sides.every(lined) ||
      (style.outlineStyle !== "none" && strong(style.outlineColor)) ||
      strong(style.backgroundColor)
    );
  };
  const LOOKS = ["backgroundColor", "outlineStyle", "outlineWidth", "outlineColor"];
  const look = (thing) => LOOKS.map((name) => getComputedStyle(thing)[name]).join(" ");
  const words = (thing) => (thing.getAttribute("aria-label") || thing.textContent).trim().slice(0, 40);

  const found = shown("button:not(:disabled), .button").flatMap((thing) =>
    edged(thing) ? [] : [`no edge: ${words(thing)}`],
  );
  for (const pressed of shown("button[aria-pressed=true]")) {
    for (const other of pressed.parentElement.querySelectorAll(":scope > button[aria-pressed=false]"))
      if (look(other) === look(pressed)) found.push(`alike: ${words(pressed)}, ${words(other)}`);
  }
  const [now] = shown(".now.mine");
  if (now && !strong(getComputedStyle(now).backgroundColor)) found.push("whose turn it is");
  const [waits] = shown(".seat.pending");
  const [other] = shown(".seat:not(.pending)");
  if (waits && other && look(waits) === look(other)) found.push("who is waited for");
  for (const drawing of shown(".card .people path"))
    if (!strong(getComputedStyle(drawing).fill)) found.push("a drawing on a card");
  return found;
};
