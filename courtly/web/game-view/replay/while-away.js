/**
 * What concerned me while I was away: since my last move, what others did, or chance, that names my seat. It waits when
 * the page is opened or looked at again, and goes when it is put away or I move.
 */
import { html, nothing } from "lit";
import { mark } from "../../board-sdk/ui-icons.js";
import { standing } from "../log.js";
import { t } from "../../core/i18n.js";

/** @typedef {import("../game-view.js").Table} Table @typedef {import("../../core/api-types.js").Cue} Cue */

const FEW = 4; // lines

/** Is this seat one of a cue's arguments? @param {Table} table @param {Cue} cue @param {number} seat */
function names({ about }, cue, seat) {
  const kinds = (about.moves[cue.verb] ?? about.events[cue.verb])?.args ?? {};
  return Object.entries(kinds).some(([arg, kind]) => kind.seat && cue.args?.[arg] === seat);
}

export class Recap {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.away = true; // has the page not been looked at, or not yet?
    /** @type {{seat: number, cues: Cue[]} | null} */
    this.waiting = null;
    document.addEventListener(
      "visibilitychange",
      () => {
        if (document.hidden) this.away = true;
        else this.look();
      },
      table.until,
    );
  }

  /** A view came, or the page is looked at. */
  look() {
    const { table } = this;
    const { seat, heard } = table;
    if (seat === null || !table.view || table.replay) return;
    const own = heard.findLastIndex((cue) => cue.seat === seat);
    if (this.waiting && (this.waiting.seat !== seat || own > this.waiting.cues[0].n)) this.waiting = null;
    if (!this.away || document.hidden) return;
    this.away = false;
    const cues = standing(heard.slice(own + 1)).filter((cue) => cue.seat !== seat && names(table, cue, seat));
    if (own >= 0 && cues.length && table.info.status === "playing") this.waiting = { seat, cues };
    table.refresh();
  }

  draw() {
    const { table, waiting } = this;
    if (!waiting || table.replay || table.handTo !== null) return nothing;
    const told = waiting.cues.map((cue) => table.ui.tell(cue)).filter(Boolean);
    return html`<section class="recap" aria-label=${t("recap")}><div role="status"><b>${t("recap")}</b>
      <ul>${told.slice(-FEW).map((text) => html`<li>${text}</li>`)}</ul></div>
      <div class="buttons"><button class="button small" @click=${() => {
        this.waiting = null;
        table.recall();
      }}>${t("recap-show")}</button>
      <button class="icon-button" aria-label=${t("close")} title=${t("close")} @click=${() => {
        this.waiting = null;
        table.refresh();
      }}>${mark("close")}</button></div></section>`;
  }
}
