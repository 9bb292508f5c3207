/* Returns how much of a decision is visible on a small phone: run in the page by test_in_view.py when it is at rest. */
(selector, map, sheet) => {
  const box = (element) => element.getBoundingClientRect();
  const label = (element) => (element.getAttribute("aria-label") || element.textContent).trim().replace(/\s+/g, " ");
  const allChoices = () =>
    [...document.querySelectorAll(`.board :is(${selector})`)].filter((element) => element.checkVisibility());

  const barBottom = box(document.querySelector(".bar")).bottom;
  const toolsTop = box(document.querySelector(".tools")).top;
  const viewport = {
    top: barBottom,
    bottom: toolsTop > barBottom ? toolsTop : innerHeight, // the tools are at the bottom, or in the bar
    left: 0,
    right: innerWidth,
  };
  const isInViewport = ({ x, y }) =>
    x >= viewport.left && x < viewport.right && y >= viewport.top && y < viewport.bottom;
  const pointIn = (element, across, down) => ({
    x: box(element).left + across * box(element).width,
    y: box(element).top + down * box(element).height,
  });
  const isHit = (element, point) =>
    isInViewport(point) && element.contains(document.elementFromPoint(point.x, point.y));
  const CORNERS = [
    [0.15, 0.15],
    [0.85, 0.15],
    [0.15, 0.85],
    [0.85, 0.85],
  ];
  const isVisible = (element) =>
    isHit(element, pointIn(element, 0.5, 0.5)) &&
    (element instanceof SVGElement ||
      CORNERS.every(([across, down]) => isHit(element, pointIn(element, across, down))));

  /** Return whether an element stays above the board while it scrolls. An element of the page itself hides nothing. */
  const isOverlay = (element) =>
    getComputedStyle(element).position === "fixed" || (element.id !== "board" && isOverlay(element.parentElement));

  if (document.querySelector(".end")) {
    const hidden = [
      ...document.querySelectorAll("#end-heading, .ranks > li, .end .buttons:first-of-type > .button:first-child"),
    ].filter((element) => !isVisible(element));
    return { over: true, fault: hidden.map(label).join(" | ") };
  }
  const close = sheet && document.querySelector(sheet);
  if (close && isOverlay(close)) {
    const headVisible = isVisible(close) && box(close.closest("header")).top >= viewport.top - 1;
    return {
      over: false,
      prompt: "",
      lastEvent: -1,
      choices: [{ label: "", visible: isVisible(close), isOpen: true, ...pointIn(close, 0.5, 0.5) }],
      fault: headVisible ? "" : "the head of the sheet and closing it",
    };
  }

  const isRowOfPlayersCut = () => {
    const { top, bottom } = box(document.querySelector(".seats"));
    return innerWidth <= 960 && top < barBottom - 1 && bottom > barBottom + 1;
  };
  const isCut = (element) =>
    !isVisible(element) &&
    box(element).top < viewport.bottom - 4 &&
    box(element).bottom > viewport.top + 4 &&
    box(element).left < viewport.right - 4 &&
    box(element).right > 4;
  const scrollStrip = (element) => {
    for (let ancestor = element.parentElement; ancestor.id !== "board"; ancestor = ancestor.parentElement) {
      const canScroll = /auto|scroll/.test(getComputedStyle(ancestor).overflowX);
      if (canScroll && ancestor.scrollWidth > ancestor.clientWidth + 1) return ancestor;
    }
    return null;
  };
  const isOpen = (element) => !element.matches(":disabled, [aria-disabled=true]");
  const choices = allChoices().map((element) => ({
    element,
    visible: isVisible(element),
    isCut: isCut(element),
    isOpen: isOpen(element),
    label: label(element),
    ...pointIn(element, 0.5, 0.5),
  }));

  /** Return whether it is correct that this choice is not visible. */
  const mayBeHidden = ({ element }) => {
    if (map && element.matches(map)) return choices.some((other) => other.element.matches(map) && other.visible);
    const ancestor = scrollStrip(element);
    const stripChoices = choices.filter((other) => ancestor?.contains(other.element));
    return stripChoices.length > 0 && stripChoices[0].visible && stripChoices.some((other) => other.isCut);
  };
  const area = choices.reduce((sum, { element }) => sum + box(element).width * box(element).height, 0);
  const tooManyToFit = area > ((viewport.bottom - viewport.top) * innerWidth) / 2;
  const startsVisibly = choices[0]?.visible && choices.some((choice) => choice.isCut);
  const hiddenChoices = choices.filter((choice) => !choice.visible && !mayBeHidden(choice));
  return {
    over: false,
    prompt: document.querySelector(".now").textContent.trim(),
    lastEvent: document.querySelector(".news")?.textContent ?? "",
    choices: choices.map(({ label, visible, isOpen, x, y }) => ({ label, visible, isOpen, x, y })),
    fault: !choices.length
      ? "nothing is marked as a choice"
      : hiddenChoices.length && !(tooManyToFit && startsVisibly)
        ? hiddenChoices.map(({ label }) => label.slice(0, 40)).join(" | ")
        : isRowOfPlayersCut()
          ? "the row of players, which the bar cuts"
          : "",
  };
};
