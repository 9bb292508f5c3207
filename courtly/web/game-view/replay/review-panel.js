/** What decided the game, beside its replay: a point of the graph leads to its moment, and the mark goes along. */
import { html } from "lit";
import { said } from "../../components/dialogs.js";
import { ask } from "../../core/http-client.js";
import { making, whole } from "../review.js";
import { t } from "../../core/i18n.js";

/** @typedef {import("../game-view.js").Table} Table @typedef {import("../../core/api-types.js").Review} Review */

const AGAIN = 1500; // ms between two questions how far it is

export class Reviewed {
  /** @param {import("./replay.js").Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.asked = false;
    /** @type {Review | null} */
    this.found = null;
    /** @type {any} */
    this.wrong = null;
  }

  get #state() {
    return this.replay.info.review?.state;
  }

  /** Is there one, or could there be? */
  get offered() {
    return !this.replay.back && Boolean(this.#state) && this.#state !== "impossible";
  }

  /** Has it made, and follows how far it is. */
  async #make() {
    await this.replay.table?.tell("review");
    this.#follow();
  }

  async #follow() {
    const { replay } = this;
    const info = await ask("GET", `/api/tables/${replay.info.id}`).catch(() => replay.info);
    replay.info = info;
    if (replay.table) replay.table.info = { ...replay.table.info, review: info.review };
    replay.table?.refresh();
    if (this.#state === "working") setTimeout(() => this.#follow(), AGAIN);
  }

  #fetch() {
    this.asked = true;
    ask("GET", `/api/tables/${this.replay.info.id}/review`)
      .then(
        (found) => {
          this.found = found;
        },
        (error) => {
          this.wrong = error;
        },
      )
      .then(() => this.replay.table?.refresh());
  }

  /** @param {Table} table */
  draw(table) {
    return html`<h2>${t("review-title")}</h2>${this.#found(table)}`;
  }

  /** @param {Table} table */
  #found(table) {
    const { replay, found, wrong } = this;
    if (wrong) return html`<p role="alert">${said(wrong)}</p>`;
    if (this.#state === "none")
      return html`<p><button class="button" @click=${() => this.#make()}>${t("review")}</button></p>`;
    if (this.#state !== "ready") return making(table, () => this.#make());
    if (!this.asked) this.#fetch();
    if (!found) return html`<p class="quiet">${t("loading")}</p>`;
    const { decisions } = found;
    const ply = replay.view?.ply ?? 0;
    const at = Math.max(
      0,
      decisions.findLastIndex((decision) => decision.ply <= ply),
    );
    return whole(
      found,
      at,
      (/** @type {number} */ to) => {
        replay.pause();
        replay.go(replay.place(decisions[to].ply));
      },
      table.ui,
    );
  }
}
