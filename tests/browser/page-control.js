/* Waits until a table is at rest, and finds what can be clicked there (table.py). Every test page has it as
   `pageControl`. The page is not painted, because no test looks at it; that saves a third of the work. */
window.pageControl = (() => {
  const CALM_FRAMES = 2; // the browser notices what is under the mouse in the second one
  const TIMEOUT_MS = 180_000; // on a busy machine slowness is not an error
  const ANY_CHANGE = { subtree: true, childList: true, attributes: true, characterData: true };
  const exists = (selector) => document.querySelector(selector) !== null;

  /**
   * Return what the table waits for, or "" while anything goes on by itself: a bot thinks, a command is pending, an
   * answer is delayed, an animation runs.
   */
  function awaitedActor() {
    if (exists(".skip") || document.fonts.status !== "loaded") return "";
    if (exists(".end")) return "nothing";
    if (exists(".sending, .reply, .seat.pending .tag .mark")) return "";
    return exists(".curtain") ? "hands" : exists(".now.mine") ? "me" : "";
  }

  /** Resolve when nothing has changed for a few frames and nothing will change without a click. */
  async function waitUntilAtRest() {
    const deadline = performance.now() + TIMEOUT_MS;
    let calmFrames = 0;
    const observer = new MutationObserver(() => {
      calmFrames = 0;
    });
    observer.observe(document, ANY_CHANGE);
    while (calmFrames < CALM_FRAMES) {
      await new Promise(requestAnimationFrame);
      calmFrames = awaitedActor() ? calmFrames + 1 : 0;
      if (performance.now() > deadline)
        throw new Error(`the table does not come to rest: ${document.body.innerText.slice(0, 400)}`);
    }
    observer.disconnect();
    return awaitedActor();
  }

  /** Return the centre of an element if a click there hits it. */
  function clickPoint(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const x = left + width / 2;
    const y = top + height / 2;
    return element.contains(document.elementFromPoint(x, y)) ? { x, y } : null;
  }

  /** Like `clickPoint`, but scroll to the element if necessary. */
  function scrollToClickPoint(element) {
    const point = clickPoint(element);
    if (point) return point;
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    return clickPoint(element);
  }

  /**
   * At rest, return the position of the nth clickable element, or of the next that can be clicked; null when the game
   * is over.
   */
  async function findClickable(selector, n) {
    if ((await waitUntilAtRest()) === "nothing") return null;
    const all = [...document.querySelectorAll(selector)];
    const first = n % all.length;
    for (const element of [...all.slice(first), ...all.slice(0, first)]) {
      const point = scrollToClickPoint(element);
      if (point) return point;
    }
    throw new Error(`none of ${all.length} elements can be clicked: ${document.querySelector(".now")?.textContent}`);
  }

  // Make event times independent of the machine's speed: clicks are one second apart, or as the test sets it.
  const clickInterval = { ms: 1000 };
  let clickTime = 0;
  addEventListener(
    "click",
    (event) => {
      clickTime += clickInterval.ms;
      Object.defineProperty(event, "timeStamp", { value: clickTime });
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
  async function whilePainted(find) {
    unpainted.disabled = true;
    try {
      return await find();
    } finally {
      unpainted.disabled = false;
    }
  }
  return { waitUntilAtRest, findClickable, whilePainted, clickInterval };
})();
