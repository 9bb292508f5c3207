/**
 * A recap of what others did while the player was away, if any of it concerned the player: what tells most about each
 * turn since the player's last move, and the cues that name their seat. It appears when the page is opened or becomes
 * visible again, and goes when it is closed or the player moves.
 */
import { html, nothing } from "lit";
import { renderUiIcon } from "../../board-sdk/ui-icons.js";
import { findFirstAction, findHeadline, groupLines } from "../log.js";
import { t } from "../../core/i18n.js";

/** @typedef {import("../game-view.js").GameView} GameView @typedef {import("../../core/api-types.js").Cue} Cue */

const MAX_CONCERNING_LINES = 4;
const MAX_SHOWN_LINES = 5;

/**
 * Return whether this seat is one of a cue's arguments, or of those of the move that it completes.
 * @param {GameView} table @param {import("../../board-sdk/board-context.js").JoinedCue} cue @param {number} seat
 * @returns {boolean}
 */
function concernsSeat(table, cue, seat) {
  const { about } = table;
  if (cue.completes && concernsSeat(table, cue.completes, seat)) return true;
  const kinds = (about.moves[cue.verb] ?? about.events[cue.verb])?.args ?? {};
  return Object.entries(kinds).some(([arg, kind]) => kind.seat && cue.args?.[arg] === seat);
}

export class WhileAway {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    this.isAway = true; // has the page been hidden, or not yet been seen?
    /** @type {{seat: number, cues: Cue[]} | null} */
    this.pending = null;
    document.addEventListener(
      "visibilitychange",
      () => {
        if (document.hidden) this.isAway = true;
        else this.update();
      },
      table.listenerOptions,
    );
  }

  /** Update the recap after a new view, or when the page becomes visible. */
  update() {
    const { table } = this;
    const { seat, cues: allCues } = table;
    if (seat === null || !table.views.has(seat) || table.replay) return;
    const lastOwnIndex = allCues.findLastIndex((cue) => cue.seat === seat);
    if (this.pending && (this.pending.seat !== seat || lastOwnIndex > this.pending.cues[0].n)) this.pending = null;
    if (!this.isAway || document.hidden) return;
    this.isAway = false;
    if (lastOwnIndex >= 0 && table.info.status === "playing") {
      const cues = this.#chooseCues(allCues.slice(lastOwnIndex + 1), seat);
      if (cues.length) this.pending = { seat, cues };
    }
    table.refresh();
  }

  /**
   * Choose the cues of the recap, oldest first; none if nothing in others' turns concerns the seat.
   * @param {Cue[]} cues since the seat's last move @param {number} seat
   */
  #chooseCues(cues, seat) {
    const { table } = this;
    const turns = groupLines(cues, table.board, table.ui).filter((turn) => turn.seat >= 0 || turn.isShared);
    const concerning = turns.flatMap((turn) =>
      turn.lines.flatMap(({ cue, events }) =>
        [cue, ...events].filter((of) => (of.seat >= 0 || !turn.isShared) && concernsSeat(table, of, seat)),
      ),
    );
    if (!concerning.length) return [];
    const headlines = turns.flatMap(({ seat: player, lines }) => {
      const line = findHeadline(lines, table.board) ?? (player >= 0 ? findFirstAction(lines, player) : undefined);
      return line ? [line.cue] : [];
    });
    const kept = new Set([...concerning.slice(-MAX_CONCERNING_LINES), ...headlines.reverse()]);
    return [...kept].slice(0, MAX_SHOWN_LINES).sort((a, b) => a.n - b.n);
  }

  render() {
    const { table, pending } = this;
    if (!pending || table.replay || table.handTo !== null) return nothing;
    const texts = pending.cues.map((cue) => table.ui.cueText(cue)).filter(Boolean);
    return html`<section class="recap" aria-label=${t("recap")}><div role="status"><b>${t("recap")}</b>
      <ul>${texts.map((text) => html`<li>${text}</li>`)}</ul></div>
      <div class="buttons"><button class="button small" @click=${() => {
        this.pending = null;
        table.reviewLastTurn(true);
      }}>${t("recap-show")}</button>
      <button class="icon-button" aria-label=${t("close")} title=${t("close")} @click=${() => {
        this.pending = null;
        table.refresh();
      }}>${renderUiIcon("close")}</button></div></section>`;
  }
}
