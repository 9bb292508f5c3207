/* How a test waits for a table to come to rest, and finds what it can click there (table.py). Every page of a test has
   them, as `hands`. And nobody looks at the page, so that it is not painted: a third of the work. */
window.hands = (() => {
  const CALM = 2; // frames: what lies under the mouse is noticed in the second
  const PATIENCE = 180_000; // ms: a busy machine is slow, not wrong
  const ALL = { subtree: true, childList: true, attributes: true, characterData: true };
  const here = (what) => document.querySelector(what) !== null;

  /**
   * What the table waits for; "" as long as anything goes on by itself: a bot thinks, a move is on its way, an answer
   * waits for its time, something moves.
   */
  function waiting() {
    if (here(".skip") || document.fonts.status !== "loaded") return "";
    if (here(".end")) return "nothing";
    if (here(".sending, .reply, .seat.pending .tag .mark")) return "";
    return here(".curtain") ? "hands" : here(".now.mine") ? "me" : "";
  }

  /** Until nothing has happened for a few frames and nothing will before I act. */
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
        throw new Error(`the table never comes to rest: ${document.body.innerText.slice(0, 400)}`);
    }
    watch.disconnect();
    return waiting();
  }

  /** The middle of a thing, where it can be hit there. */
  function hit(thing) {
    const { left, top, width, height } = thing.getBoundingClientRect();
    const x = left + width / 2;
    const y = top + height / 2;
    return thing.contains(document.elementFromPoint(x, y)) ? { x, y } : null;
  }

  /** The same, scrolled to if need be. */
  function reach(thing) {
    const there = hit(thing);
    if (there) return there;
    thing.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    return hit(thing);
  }

  /**
   * At rest, the place of the nth of the things that can be clicked, or of the next that can be; null when the game is
   * over.
   */
  async function pick(what, n) {
    if ((await rest()) === "nothing") return null;
    const all = [...document.querySelectorAll(what)];
    const first = n % all.length;
    for (const thing of [...all.slice(first), ...all.slice(0, first)]) {
      const there = reach(thing);
      if (there) return there;
    }
    throw new Error(`none of ${all.length} things can be clicked: ${document.querySelector(".now")?.textContent}`);
  }

  // How fast a test clicks follows from the machine: its clicks count as a second apart, or as much as it says.
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

  /** What this finds in the page as people see it. @template T @param {() => T} find @returns {Promise<Awaited<T>>} */
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
