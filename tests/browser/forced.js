/* Returns what cannot be distinguished in forced colours: run in the page by test_forced_colours.py. */
() => {
  const light = (colour) => {
    const [r, g, b, opaque = 1] = colour.match(/[\d.]+/g).map((part) => Number(part) / 255);
    const linear = (part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return opaque ? 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) : null;
  };
  const canvas = light(getComputedStyle(document.documentElement).backgroundColor);
  const isStrong = (colour) => {
    const it = light(colour);
    return it !== null && (Math.max(it, canvas) + 0.05) / (Math.min(it, canvas) + 0.05) >= 3;
  };
  const visibleElements = (selector) =>
    [...document.querySelectorAll(selector)].filter(
      (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".unseen"),
    );
  const sides = ["Top", "Right", "Bottom", "Left"];
  const hasEdge = (element) => {
    const style = getComputedStyle(element);
    const lined = (side) => style[`border${side}Style`] !== "none" && isStrong(style[`border${side}Color`]);
    return (
      sides.every(lined) ||
      (style.outlineStyle !== "none" && isStrong(style.outlineColor)) ||
      isStrong(style.backgroundColor)
    );
  };
  const LOOKS = ["backgroundColor", "outlineStyle", "outlineWidth", "outlineColor"];
  const appearance = (element) => LOOKS.map((name) => getComputedStyle(element)[name]).join(" ");
  const label = (element) => (element.getAttribute("aria-label") || element.textContent).trim().slice(0, 40);

  const findings = visibleElements("button:not(:disabled, .enter), .button").flatMap((element) =>
    hasEdge(element) ? [] : [`no edge: ${label(element)}`],
  );
  for (const pressed of visibleElements("button[aria-pressed=true]")) {
    for (const other of pressed.parentElement.querySelectorAll(":scope > button[aria-pressed=false]"))
      if (appearance(other) === appearance(pressed)) findings.push(`alike: ${label(pressed)}, ${label(other)}`);
  }
  const [turnMark] = visibleElements(".now.mine");
  if (turnMark && !isStrong(getComputedStyle(turnMark).backgroundColor)) findings.push("whose turn it is");
  const [waiting] = visibleElements(".seat.pending");
  const [other] = visibleElements(".seat:not(.pending)");
  if (waiting && other && appearance(waiting) === appearance(other)) findings.push("who is waited for");
  for (const drawing of visibleElements(".card .people path"))
    if (!isStrong(getComputedStyle(drawing).fill)) findings.push("a drawing on a card");
  for (const dock of visibleElements(".board *")) {
    const { position, backgroundColor } = getComputedStyle(dock);
    if (["sticky", "fixed"].includes(position) && light(backgroundColor) === null)
      findings.push(`what it lies over shines through: ${dock.className}`);
  }
  return findings;
};
