// Returns the layout errors of the text on the page, one line each: see layout.py.
() => {
  const root = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  const canvas = document.createElement("canvas").getContext("2d");
  const memoize = (find) => {
    const cache = new Map();
    return (e) => cache.get(e) ?? cache.set(e, find(e)).get(e);
  };
  const css = getComputedStyle; // computes the style at each access, so frequent properties are cached
  const layoutStyleOf = memoize((e) => {
    const { overflowX, overflowY, position, display, clipPath } = css(e);
    return { overflowX, overflowY, position, display, clipPath };
  });
  const boxOf = memoize((e) => e.getBoundingClientRect());
  const fontOf = memoize((e) => {
    const s = css(e);
    return `${s.fontStyle} ${s.fontWeight} ${s.fontSize} ${s.fontFamily}`;
  });
  const ink = new Map();

  /** Return how far below the top of its line box the ink of a text begins, and how far above the bottom it ends. */
  function inkInsets(text, element) {
    const key = fontOf(element) + text;
    if (!ink.has(key)) {
      canvas.font = fontOf(element);
      const m = canvas.measureText(text);
      ink.set(key, [
        m.fontBoundingBoxAscent - m.actualBoundingBoxAscent,
        m.fontBoundingBoxDescent - m.actualBoundingBoxDescent,
      ]);
    }
    return ink.get(key);
  }

  const alpha = (colour) => (/^rgba\(.*, 0\)$|transparent|\/ 0\)$/.test(colour) ? 0 : 1);
  const hasPaintedBox = memoize((e) => {
    const s = css(e);
    return (
      alpha(s.backgroundColor) ||
      s.backgroundImage !== "none" ||
      (s.boxShadow !== "none" && s.boxShadow.includes("inset")) ||
      (s.borderLeftStyle !== "none" && parseFloat(s.borderLeftWidth) && parseFloat(s.borderRightWidth))
    );
  });
  const clips = (overflow) => overflow === "hidden" || overflow === "clip";
  const scrolls = (overflow) => overflow === "auto" || overflow === "scroll";
  /** Only for screen readers. */
  const isForScreenReaders = memoize(
    (e) =>
      e &&
      e !== root &&
      (layoutStyleOf(e).clipPath === "inset(50%)" ||
        (e.clientWidth <= 1 && clips(layoutStyleOf(e).overflowX) && layoutStyleOf(e).position === "absolute") ||
        isForScreenReaders(e.parentElement)),
  );
  const path = (e) => {
    const names = [];
    for (; e && e !== document.body && names.length < 4; e = e.parentElement)
      names.unshift(e.tagName.toLowerCase() + [...e.classList].map((c) => `.${c}`).join(""));
    return names.join(" > ");
  };
  const findings = [];
  const report = (what, text, e, more = "") =>
    findings.push(`${what}: "${text.trim().slice(0, 40)}"${more} in ${path(e)}`);

  /** Scrolled out of view, or unreachable by scrolling until focused. */
  function isScrolledOut(rect, e) {
    if (rect.bottom + scrollY <= 0 || rect.right + scrollX <= 0) return true;
    for (let at = e; at && at !== document.documentElement; at = at.parentElement) {
      const s = layoutStyleOf(at);
      if (scrolls(s.overflowX) || scrolls(s.overflowY)) {
        const box = boxOf(at);
        if (
          rect.right <= box.left + 1 ||
          rect.left >= box.right - 1 ||
          rect.bottom <= box.top + 1 ||
          rect.top >= box.bottom - 1
        )
          return true;
      }
      if (s.position === "fixed") break;
    }
    return false;
  }

  /** Of text in a picture, the part inside its frame. */
  function visiblePart(rect, e) {
    let frame = e.closest("svg");
    while (frame?.ownerSVGElement) frame = frame.ownerSVGElement;
    if (!frame || layoutStyleOf(frame).overflowX === "visible") return rect;
    const box = boxOf(frame);
    return {
      left: Math.max(rect.left, box.left),
      right: Math.min(rect.right, box.right),
      top: Math.max(rect.top, box.top),
      bottom: Math.min(rect.bottom, box.bottom),
    };
  }

  /**
   * Report text that is clipped by a box around it or lies outside the box. (Not for text in a picture, of which a part
   * may be visible.)
   */
  function reportClipping(rect, text, e) {
    let sideways = true;
    let down = true;
    let card = true;
    for (let at = e; at && at !== document.documentElement && at !== document.body; at = at.parentElement) {
      const s = layoutStyleOf(at);
      if (s.display === "contents" || (s.display === "inline" && at !== e)) continue;
      const box = boxOf(at);
      const over = {
        x: Math.max(box.left - rect.left, rect.right - box.right),
        y: Math.max(box.top - rect.top, rect.bottom - box.bottom),
      };
      const svg = at instanceof SVGElement;
      if (!svg && s.display !== "inline") {
        if (sideways && clips(s.overflowX) && over.x > 1)
          return report("cut off", text, e, ` by ${over.x.toFixed(1)} px sideways`);
        if (down && clips(s.overflowY) && over.y > 1) return report("cut off", text, e, ` by ${over.y.toFixed(1)} px`);
        if (scrolls(s.overflowX)) sideways = false;
        if (scrolls(s.overflowY)) down = false;
        if (!sideways && !down) return;
      }
      if (card && hasPaintedBox(at) && !svg) {
        card = false;
        if ((sideways && over.x > 1) || (down && over.y > 1))
          return report("outside its box", text, e, ` by ${Math.max(over.x, over.y).toFixed(1)} px`);
      }
      if (s.position === "fixed") break;
    }
    if (sideways && (rect.left < -1 || rect.right > innerWidth + 1)) report("outside the page", text, e);
  }

  const WORD = /[\p{Script=Latin}\p{N}](?:[\p{Script=Latin}\p{N}\p{M}'’]|[.,](?=\p{N}))*/gu;
  function reportBrokenWords(node, e) {
    if (css(e).wordBreak === "break-all") return; // text to be copied, not read
    for (const { 0: word, index } of node.data.matchAll(WORD)) {
      if (word.length < 2) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const rects = [...range.getClientRects()].filter((r) => r.width > 0.5);
      if (rects.some((r) => r.top > rects[0].bottom - 2)) report("broken", word, e);
    }
  }

  /** Return whether an element covers a text on purpose: a bar, a dialog, a sheet, or a box over the whole text. */
  function coversOnPurpose(e, above, rect) {
    for (; e && e !== above; e = e.parentElement) {
      const s = css(e);
      if (["fixed", "sticky"].includes(s.position) || e.matches("dialog, [popover]")) return true;
      if (s.position !== "absolute" || !hasPaintedBox(e)) continue;
      const box = boxOf(e);
      if (
        box.width * box.height > SHEET_AREA ||
        (box.left <= rect.left && box.right >= rect.right && box.top <= rect.top && box.bottom >= rect.bottom)
      )
        return true;
    }
    return false;
  }

  /** A map moves a name out from under what covers the map when it is zoomed. */
  const movable = (one, other) => one.closest(".map.near") && !other.closest(".map");

  const SHEET_AREA = 16_000; // square pixels
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (
      !node.data.trim() ||
      !e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
      isForScreenReaders(e) ||
      e.closest("noscript, option, title, desc, style, script, .leap:not(:focus)")
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const [above, below] = inkInsets(node.data.trim(), e);
    const rects = [...range.getClientRects()]
      .filter((r) => r.width > 0.5)
      .map((r) => visiblePart({ left: r.left, right: r.right, top: r.top + above, bottom: r.bottom - below }, e))
      .filter((r) => r.right > r.left && r.bottom > r.top && !isScrolledOut(r, e));
    if (!rects.length) continue;
    const before = findings.length;
    for (const rect of rects) {
      if (findings.length === before && !e.closest("svg")) reportClipping(rect, node.data, e);
      texts.push({ rect, node, e });
    }
    reportBrokenWords(node, e);
  }
  for (let i = 0; i < texts.length; i++) {
    for (let j = i + 1; j < texts.length; j++) {
      const { rect: a, e: one, node } = texts[i];
      const { rect: b, e: other } = texts[j];
      if (
        Math.min(a.right, b.right) - Math.max(a.left, b.left) < 1.5 ||
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) < 1.5
      )
        continue;
      if (node === texts[j].node || movable(one, other) || movable(other, one)) continue;
      const range = document.createRange();
      range.setStart(node, 0);
      range.setEnd(texts[j].node, 0);
      const commonAncestor = range.commonAncestorContainer;
      if (coversOnPurpose(one, commonAncestor, b) || coversOnPurpose(other, commonAncestor, a)) continue;
      report(
        "overlap",
        node.data,
        one,
        ` and "${texts[j].node.data.trim().slice(0, 40)}" (${other.className?.baseVal ?? other.className})`,
      );
    }
  }
  for (const list of root.querySelectorAll(":is(small, h2, h3, h4) + :is(ul, ol, dl)")) {
    const heading = list.previousElementSibling;
    if (!list.firstElementChild && heading.checkVisibility())
      report("a heading over nothing", heading.textContent, list);
  }
  /** Return how much wider a list would be with enough room for the chosen value. */
  function missingWidth(list) {
    const copy = list.cloneNode();
    copy.append(list.selectedOptions[0].cloneNode(true));
    Object.assign(copy.style, { position: "absolute", width: "max-content", minWidth: "0", maxWidth: "none" });
    list.after(copy);
    const neededWidth = copy.getBoundingClientRect().width;
    copy.remove();
    return neededWidth - boxOf(list).width;
  }
  for (const list of root.querySelectorAll("select")) {
    const over = list.checkVisibility() && list.selectedOptions.length ? missingWidth(list) : 0;
    if (over > 1) report("cut off", list.selectedOptions[0].text, list, ` by ${over.toFixed(1)} px sideways`);
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) {
    const tooWide = [...root.querySelectorAll("*")].filter((e) => boxOf(e).right > innerWidth + 1);
    findings.push(`wider than the page: ${[...new Set(tooWide.map(path))].slice(0, 4).join(", ")}`);
  }
  return [...new Set(findings)];
};
