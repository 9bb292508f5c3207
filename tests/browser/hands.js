/* Waits until a table is at rest, and finds what can be clicked there (table.py). Every test page has it as `hands`.
   The page is not painted, because no test looks at it; that saves a third of the work. */
window.hands = (() => {
  const CALM = 2; // frames: the browser notices what is under the mouse in the second one
  const PATIENCE = 180_000; // ms: on a busy machine slowness is not an error
  const ALL = { subtree: true, childList: true, attributes: true, characterData: true };
  const here = (what) => document.querySelector(what) !== null;

  /**
   * Return what the table waits for, or "" while anything goes on by itself: a bot thinks, a command is pending, an
   * answer is delayed, an animation runs.
   */
  function waiting() {
    if (here(".skip") || document.fonts.status !== "loaded") return "";
    if (here(".end")) return "nothing";
    if (here(".sending, .reply, .seat.pending .tag .mark")) return "";
    return here(".curtain") ? "hands" : here(".now.mine") ? "me" : "";
  }

  /** Resolve when nothing has changed for a few frames and nothing will change without a click. */
  async function rest() {
    const until = performance.now() + PATIENCE;
    let calm = 0;
    const watch = new MutationObserver(() => {
      calm = 0;
    });
    watch.observe(document, ALL);
    while (calm < CALM) {
      await new Promise(requestAnimationFrame);
      calm = waiting() ? calm + 1 : 0;
      if (performance.now() > until)
        throw new Error(`the table does not come to rest: ${document.body.innerText.slice(0, 400)}`);
    }
    watch.disconnect();
    return waiting();
  }

  /** Return the centre of an element if a click there hits it. */
  function hit(thing) {
    const { left, top, width, height } = thing.getBoundingClientRect();
    const x = left + width / 2;
    const y = top + height / 2;
    return thing.contains(document.elementFromPoint(x, y)) ? { x, y } : null;
  }

  /** Like `hit`, but scroll to the element if necessary. */
  function reach(thing) {
    const there = hit(thing);
    if (there) return there;
    thing.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    return hit(thing);
  }

  /**
   * At rest, return the position of the nth clickable element, or of the next that can be clicked; null when the game
   * is over.
   */
  async function pick(what, n) {
    if ((await rest()) === "nothing") return null;
    const all = [...document.querySelectorAll(what)];
    const first = n % all.length;
    for (const thing of [...all.slice(first), ...all.slice(0, first)]) {
      const there = reach(thing);
      if (there) return there;
    }
    throw new Error(`none of ${all.length} elements can be clicked: ${document.querySelector(".now")?.textContent}`);
  }

  // Make event times independent of the machine's speed: clicks count as one second apart, or as the test sets it.
  const apart = { ms: 1000 };
  let clicked = 0;
  addEventListener(
    "click",
    (event) => {
      clicked += apart.ms;
      Object.defineProperty(event, "timeStamp", { value: clicked });
    },
    { capture: true },
  );

  const unpainted = new CSSStyleSheet();
  unpainted.replaceSync("html { opacity: 0 !important }");
  document.adoptedStyleSheets.push(unpainted);

  /**
   * Return what this function finds in the painted page.
   * @template T @param {() => T} find @returns {Promise<Awaited<T>>}
   */
  async function seen(find) {
    unpainted.disabled = true;
    try {
      return await find();
    } finally {
      unpainted.disabled = false;
    }
  }
  return { rest, pick, seen, apart };
})();
