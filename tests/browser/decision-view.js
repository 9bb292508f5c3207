/* Returns how much of a decision is visible on a small phone: run in the page by test_in_view.py when it is at rest. */
(selector, map, sheet) => {
  const box = (element) => element.getBoundingClientRect();
  const words = (thing) => (thing.getAttribute("aria-label") || thing.textContent).trim().replace(/\s+/g, " ");
  const all = () =>
    [...document.querySelectorAll(`.board :is(${selector})`)].filter((thing) => thing.checkVisibility());

  const bar = box(document.querySelector(".bar")).bottom;
  const under = box(document.querySelector(".tools")).top;
  const port = {
    top: bar,
    bottom: under > bar ? under : innerHeight, // the tools are at the bottom, or in the bar
    left: 0,
    right: innerWidth,
  };
  const inside = ({ x, y }) => x >= port.left && x < port.right && y >= port.top && y < port.bottom;
  const at = (thing, across, down) => ({
    x: box(thing).left + across * box(thing).width,
    y: box(thing).top + down * box(thing).height,
  });
  const hits = (thing, point) => inside(point) && thing.contains(document.elementFromPoint(point.x, point.y));
  const corners = [
    [0.15, 0.15],
    [0.85, 0.15],
    [0.15, 0.85],
    [0.85, 0.85],
  ];
  const seen = (thing) =>
    hits(thing, at(thing, 0.5, 0.5)) &&
    (thing instanceof SVGElement || corners.every(([across, down]) => hits(thing, at(thing, across, down))));

  /** Return whether an element stays above the board while it scrolls. A part of the page itself hides nothing. */
  const laidOver = (part) =>
    getComputedStyle(part).position === "fixed" || (part.id !== "board" && laidOver(part.parentElement));

  if (document.querySelector(".end")) {
    const hidden = [
      ...document.querySelectorAll("#end-heading, .ranks > li, .end .buttons:first-of-type > .button:first-child"),
    ].filter((part) => !seen(part));
    return { over: true, fault: hidden.map(words).join(" | ") };
  }
  const close = sheet && document.querySelector(sheet);
  if (close && laidOver(close)) {
    const whole = seen(close) && box(close.closest("header")).top >= port.top - 1;
    return {
      over: false,
      prompt: "",
      told: -1,
      things: [{ words: "", seen: seen(close), open: true, ...at(close, 0.5, 0.5) }],
      fault: whole ? "" : "the head of the sheet and closing it",
    };
  }

  const cut = (thing) =>
    !seen(thing) &&
    box(thing).top < port.bottom - 4 &&
    box(thing).bottom > port.top + 4 &&
    box(thing).left < port.right - 4 &&
    box(thing).right > 4;
  const strip = (thing) => {
    for (let here = thing.parentElement; here.id !== "board"; here = here.parentElement) {
      if (here.scrollWidth > here.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(here).overflowX)) return here;
    }
    return null;
  };
  const open = (thing) => !thing.matches(":disabled, [aria-disabled=true]");
  const found = all().map((thing) => ({
    thing,
    seen: seen(thing),
    cut: cut(thing),
    open: open(thing),
    words: words(thing),
    ...at(thing, 0.5, 0.5),
  }));

  /** Return whether it is correct that this choice is not visible. */
  const excused = ({ thing }) => {
    if (map && thing.matches(map)) return found.some((other) => other.thing.matches(map) && other.seen);
    const here = strip(thing);
    const others = found.filter((other) => here?.contains(other.thing));
    return others.length > 0 && others[0].seen && others.some((other) => other.cut);
  };
  const area = found.reduce((sum, { thing }) => sum + box(thing).width * box(thing).height, 0);
  const many = area > ((port.bottom - port.top) * innerWidth) / 2;
  const begun = found[0]?.seen && found.some((one) => one.cut);
  const unseen = found.filter((one) => !one.seen && !excused(one));
  return {
    over: false,
    prompt: document.querySelector(".now").textContent.trim(),
    told: document.querySelector(".news")?.textContent ?? "",
    things: found.map(({ words, seen, open, x, y }) => ({ words, seen, open, x, y })),
    fault: !found.length
      ? "nothing is marked as a choice"
      : unseen.length && !(many && begun)
        ? unseen.map(({ words }) => words.slice(0, 40)).join(" | ")
        : "",
  };
};
