/**
 * What a mouse learns by pointing, a finger learns by tapping: the titles of things that do nothing else when they are
 * tapped.
 */
const STEADY = 10; // px: a finger that moved further did not tap
const ACTS = "button:not(:disabled), a, input, select, label, [role=button]";

/** @type {HTMLElement | null} */
let shown = null;
/** @type {PointerEvent | null} */
let down = null;

/** The titles around a thing, the outermost first. @param {Element | null} thing */
function titles(thing) {
  const found = [];
  for (let here = thing; here; here = here.parentElement) {
    const title = here.getAttribute("title");
    if (title) found.unshift(title);
  }
  return found;
}

function hide() {
  shown?.remove();
  shown = null;
}

/** Above the thing, or below where there is no room. @param {Element} thing @param {string[]} lines */
function show(thing, lines) {
  shown = document.createElement("p");
  shown.className = "hint";
  shown.setAttribute("role", "status");
  shown.append(...lines.flatMap((line, i) => (i ? [document.createElement("br"), line] : [line])));
  document.body.append(shown);
  const about = thing.getBoundingClientRect();
  const { width, height } = shown.getBoundingClientRect();
  const middle = about.left + about.width / 2 - width / 2;
  shown.style.left = `${Math.max(8, Math.min(middle, innerWidth - width - 8))}px`;
  shown.style.top = `${about.top - height - 8 > 0 ? about.top - height - 8 : about.bottom + 8}px`;
}

export function tellOnTap() {
  addEventListener("pointerdown", (event) => {
    hide();
    down = event;
  });
  addEventListener("pointerup", (event) => {
    const thing = event.target instanceof Element ? event.target : null;
    const steady = down && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < STEADY;
    if (event.pointerType === "mouse" || !steady || !thing || thing.closest(ACTS)) return;
    const said = titles(thing);
    const titled = thing.closest("[title]");
    if (titled && said.length) show(titled, said);
  });
  addEventListener("scroll", hide, { capture: true, passive: true });
  addEventListener("keydown", hide);
}
