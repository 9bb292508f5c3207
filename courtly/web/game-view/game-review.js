/**
 * The review of a finished game: made on this device, or by the server if the reader prefers it or the device cannot.
 */
import { request } from "../core/http-client.js";
import { getSetting } from "../core/user-settings.js";

/**
 * @typedef {import("./game-view.js").GameView} GameView @typedef {import("../core/api-types.js").Review} Review
 * @typedef {import("../core/api-types.js").ReviewProgress} ReviewProgress
 * @typedef {import("../bots/game-analysis.js").GrowingReview} GrowingReview
 */

const POLL_INTERVAL_MS = 1500; // between two queries of the server's progress, where it is not sent

/** @type {ReviewProgress} */
const NOT_BEGUN = { state: "none", judged: 0, total: 0, ahead: 0 };

/** Return the record of a finished game. @param {GameView} table @returns {Promise<string>} */
export const fetchRecord = async ({ info, source }) =>
  source.exportRecord?.() ?? request("GET", `/api/tables/${info.id}/record`);

export class GameReview {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    /** @type {Review | null} */
    this.review = null;
    /** @type {GrowingReview | null} what is known before the review is complete */
    this.growing = null;
    /** @type {any} why it could not be made */
    this.error = null;
    /** @type {ReviewProgress | null} on this device */
    this.deviceProgress = null;
    this.isRequested = false;
    this.isFetched = false; // from the server
    this.onReady = () => {}; // called once there is a review
  }

  /** The table, as the server described it last; a replay in the same page receives that. */
  get #info() {
    return this.table.replay?.info ?? this.table.info;
  }

  /** Whether there is a review of this game, or one can be asked for. */
  get isOffered() {
    const { review, status } = this.#info;
    return Boolean(review) || (status === "over" && Boolean(this.table.source.exportRecord));
  }

  /** Whether neither the server nor this device can make a review. */
  get isImpossible() {
    return this.progress.state === "impossible";
  }

  /** Whether the server can make a review. */
  get #isServerAble() {
    const { id, review } = this.#info;
    return id !== "" && review?.state !== "impossible";
  }

  /** How far the review is, wherever it is made. */
  get progress() {
    const { review } = this.#info;
    const server = review?.state === "impossible" && this.table.about.help_available ? null : review;
    return this.deviceProgress ?? server ?? NOT_BEGUN;
  }

  /**
   * Begin to make the review, unless that has been done.
   * @param {boolean} [isRetry] whether the server, where it has failed before, tries again
   */
  async begin(isRetry = false) {
    if (this.review || ["working", "ready"].includes(this.progress.state)) return;
    this.error = null;
    this.isRequested = true;
    const hasFailed = this.#info.review?.state === "failed";
    if (!this.#isServerAble || getSetting("hints") !== "server") await this.#makeOnDevice();
    if (this.table.listenerOptions.signal.aborted) return; // the reader has left
    if (!this.review && this.#isServerAble && (isRetry || !hasFailed)) await this.#makeOnServer();
  }

  async #makeOnDevice() {
    this.#report(0, 0);
    try {
      const record = await fetchRecord(this.table);
      const { reviewOnDevice } = await import("../local/device-review.js");
      const ownSeats = this.table.mySeats.map(({ seat }) => seat);
      /** @type {import("../local/device-review.js").ReportProgress} */
      const report = (...progress) => this.#report(...progress);
      this.#finish(await reviewOnDevice(record, ownSeats, report, this.table.listenerOptions.signal));
    } catch (error) {
      this.error = this.#isServerAble ? null : error;
      this.deviceProgress = this.#isServerAble ? null : { ...NOT_BEGUN, state: "failed" };
    }
    this.table.refresh();
  }

  /** @param {Review} review */
  #finish(review) {
    this.review = review;
    this.growing = null;
    this.deviceProgress = null;
    this.onReady();
  }

  /**
   * @param {number} judged @param {number} total of the decisions
   * @param {GrowingReview} [growing] the review so far
   */
  #report(judged, total, growing) {
    this.growing = growing ?? this.growing;
    this.deviceProgress = { state: "working", judged, total, ahead: 0 };
    this.table.refresh();
  }

  async #makeOnServer() {
    try {
      await request("POST", `/api/tables/${this.table.info.id}/review`, {});
    } catch (error) {
      this.error = error;
      this.table.refresh();
      return;
    }
    if (this.table.source === this.table.replay) this.#pollProgress(); // a replay receives no messages
  }

  async #pollProgress() {
    const { table } = this;
    const { review } = await request("GET", `/api/tables/${table.info.id}`).catch(() => table.info);
    if (table.replay) table.replay.info = { ...table.replay.info, review };
    table.info = { ...table.info, review };
    table.refresh();
    if (review?.state === "working") setTimeout(() => this.#pollProgress(), POLL_INTERVAL_MS);
  }

  /** Fetch the review if the server has it; called whenever it is drawn. */
  update() {
    if (this.review || this.isFetched || this.progress.state !== "ready") return;
    this.isFetched = true;
    request("GET", `/api/tables/${this.table.info.id}/review`)
      .then(
        (review) => this.#finish(review),
        (error) => {
          this.error = error;
        },
      )
      .then(() => this.table.refresh());
  }
}
