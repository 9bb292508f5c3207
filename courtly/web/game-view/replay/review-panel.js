/** The review beside a replay. A click on a point of the graph goes to its moment, and the mark follows the replay. */
import { html } from "lit";
import { formatError } from "../../components/dialogs.js";
import { request } from "../../core/http-client.js";
import { renderProgress, renderReview } from "../review.js";
import { t } from "../../core/i18n.js";

/** @typedef {import("../game-view.js").GameView} GameView @typedef {import("../../core/api-types.js").Review} Review */

const POLL_INTERVAL_MS = 1500; // between two queries of the progress

export class ReviewPanel {
  /** @param {import("./replay.js").Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.isFetched = false;
    /** @type {Review | null} */
    this.review = null;
    /** @type {any} */
    this.error = null;
  }

  get #state() {
    return this.replay.info.review?.state;
  }

  /** Whether a review exists or can be made. */
  get isOffered() {
    return !this.replay.returnToGame && Boolean(this.#state) && this.#state !== "impossible";
  }

  /** Start the analysis and follow its progress. */
  async #startReview() {
    await this.replay.table?.postCommand("review");
    this.#pollProgress();
  }

  async #pollProgress() {
    const { replay } = this;
    const info = await request("GET", `/api/tables/${replay.info.id}`).catch(() => replay.info);
    replay.info = info;
    if (replay.table) replay.table.info = { ...replay.table.info, review: info.review };
    replay.table?.refresh();
    if (this.#state === "working") setTimeout(() => this.#pollProgress(), POLL_INTERVAL_MS);
  }

  #fetch() {
    this.isFetched = true;
    request("GET", `/api/tables/${this.replay.info.id}/review`)
      .then(
        (found) => {
          this.review = found;
        },
        (error) => {
          this.error = error;
        },
      )
      .then(() => this.replay.table?.refresh());
  }

  /** @param {GameView} table */
  render(table) {
    return html`<h2>${t("review-title")}</h2>${this.#renderContent(table)}`;
  }

  /** @param {GameView} table */
  #renderContent(table) {
    const { replay, review, error } = this;
    if (error) return html`<p role="alert">${formatError(error)}</p>`;
    if (this.#state === "none")
      return html`<p><button class="button" @click=${() => this.#startReview()}>${t("review")}</button></p>`;
    if (this.#state !== "ready") return renderProgress(table, () => this.#startReview());
    if (!this.isFetched) this.#fetch();
    if (!review) return html`<p class="quiet">${t("loading")}</p>`;
    const { decisions } = review;
    const ply = replay.view?.ply ?? 0;
    const at = Math.max(
      0,
      decisions.findLastIndex((decision) => decision.ply <= ply),
    );
    return renderReview(
      review,
      at,
      (/** @type {number} */ to) => {
        replay.pause();
        replay.goTo(replay.indexOfPly(decisions[to].ply));
      },
      table.ui,
    );
  }
}
