/** Keeps the newest line of the log in view, unless the reader has scrolled up. Other panels open at their top. */

/** @typedef {import("./game-view.js").GameView} GameView */

const END_MARGIN_PX = 24; // a log scrolled to this distance from its end is at its end

export class LogScroller {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    this.isAtEnd = true;
    this.panel = table.panel; // the panel that was shown last
    /** @type {Element | null} the log whose size is observed */
    this.log = null;
    this.observer = new ResizeObserver(() => this.#showEnd());
    addEventListener("beforeprint", () => this.#unfold(), table.listenerOptions); // paper has nothing to click
  }

  /** Follow the log that is shown now. Another panel has the same scrolling element, and begins at its top. */
  update() {
    const { panel, host } = this.table;
    if (panel !== this.panel) host.querySelector(".side .scroll")?.scrollTo({ top: 0, behavior: "instant" });
    this.panel = panel;
    const log = this.table.replay ? null : this.table.host.querySelector(".side .log");
    if (log === this.log) return;
    this.observer.disconnect();
    this.log = log;
    this.isAtEnd = true;
    const region = log?.closest(".scroll");
    if (!log || !region) return;
    this.observer.observe(log);
    this.observer.observe(region);
    let lastTop = region.scrollTop;
    region.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = region;
      const hasScrolledUp = scrollTop < lastTop;
      lastTop = scrollTop;
      if (this.log !== log) return;
      if (scrollHeight - scrollTop - clientHeight < END_MARGIN_PX) this.isAtEnd = true;
      else if (hasScrolledUp) this.isAtEnd = false; // it is also far from its end when lines were added this moment
    });
    // opening a turn is reading: what was opened stays in view
    log.addEventListener("click", (event) => {
      if (/** @type {Element} */ (event.target).closest("summary")) this.isAtEnd = false;
    });
  }

  #unfold() {
    for (const turn of this.log?.querySelectorAll("details") ?? []) turn.open = true;
  }

  #showEnd() {
    const region = this.log?.closest(".scroll");
    if (region && this.isAtEnd) region.scrollTop = region.scrollHeight;
  }
}
