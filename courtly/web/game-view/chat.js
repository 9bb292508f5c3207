/** What people say at the table: words of their own, and courtesies, which each reader gets in their own language. */
import { html, live, nothing, repeat } from "lit";
import { confirm } from "../components/dialogs.js";
import { shield } from "../board-sdk/seat-shield.js";
import { keep, kept } from "../core/table-storage.js";
import { mark } from "../board-sdk/ui-icons.js";
import { ask } from "../core/http-client.js";
import { choice } from "../components/preferences-panel.js";
import { crowded, language, set, setting } from "../core/user-settings.js";
import { showPanel } from "./shortcuts.js";
import { t } from "../core/i18n.js";
import { translatable } from "../core/translated-text.js";
import { called } from "../core/player-names.js";
import { unseen } from "../components/visually-hidden.js";

/**
 * @typedef {import("./game-view.js").Table} Table @typedef {import("../core/api-types.js").ChatMessage} Saying
 * @typedef {import("../core/api-types.js").CannedMessage} Courtesy @typedef {import("../core/api-types.js").FromServer}
 * FromServer
 */

/** In the order of a game; the last belong to its end. @type {Courtesy[]} */
const COURTESIES = [
  "hello",
  "moment",
  "sorry",
  "back",
  "no-hurry",
  "good-move",
  "thanks",
  "luck",
  "oops",
  "well-played",
  "bye",
  "again",
];
const LAST = 3;
const LONGEST = 500; // characters
const APART = 5 * 60_000; // ms after which it is told again who speaks
const MUTED = 200; // people
const MOST = 200; // sayings at hand; those before them are asked for, and then are at hand too
const NEWS = 5; // sayings told to those who hear the page
const SHOWN = [3000, 60]; // ms that one is shown where the panel is closed, and more for each character

/**
 * Can anything be said or read here? Not as long as there is nobody to talk to; spectators do not show.
 * @param {Table} table
 */
export const offered = ({ info, talk, replay }) =>
  talk.sayings.length > 0 || (!info.quiet && !replay && info.seats.some((seat) => seat.kind === "person" && !seat.you));

export class Talk {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Saying[]} the oldest first */
    this.sayings = [];
    this.more = false; // was there something before them?
    this.most = MOST; // so many are at hand
    /** @type {Saying[]} what others have said while the page was open */
    this.news = [];
    /** @type {Saying | null} the newest of these, shown for a while where the panel is closed */
    this.passing = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.read = kept(table.info.id).read ?? 0; // when the last that was seen was said
    this.text = ""; // what is being written
  }

  /** @param {FromServer} message */
  hear(message) {
    if (message.type === "talk") {
      this.sayings = message.sayings;
      this.more = message.more;
    } else if (message.type === "said") {
      const { saying } = message;
      this.sayings.push(saying);
      if (this.sayings.length > this.most) {
        this.sayings.shift();
        this.more = true;
      }
      if (saying.you || mutes(saying)) return;
      this.news = [...this.news, saying].slice(-NEWS);
      this.#pass(saying);
    }
  }

  /** Show a saying for a while, where the panel is closed. @param {Saying} saying */
  #pass(saying) {
    this.passing = saying;
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.passing = null;
        this.table.refresh();
      },
      SHOWN[0] + SHOWN[1] * words(saying).length,
    );
  }

  /** What this reader wants to see. */
  get heard() {
    return this.sayings.filter((saying) => !mutes(saying));
  }

  /** How many of them are new. */
  get unread() {
    return this.heard.filter((saying) => !saying.you && saying.at > this.read).length;
  }

  /** Is the panel open? */
  get shown() {
    return this.table.panel === "talk" && (this.table.panelOpen || !crowded());
  }

  /** Something was drawn: what can be seen is read. */
  look() {
    if (!this.shown || document.hidden) return;
    this.passing = null;
    const last = this.sayings.at(-1)?.at ?? 0;
    if (last <= this.read) return;
    this.read = last;
    keep(this.table.info.id, { read: last });
    this.table.refresh();
  }

  /** What was said before. */
  async older() {
    const { info } = this.table;
    const { sayings, more } = await ask("GET", `/api/tables/${info.id}/talk?before=${this.sayings[0].at}`);
    this.sayings = [...sayings, ...this.sayings];
    this.most = Math.max(MOST, this.sayings.length);
    this.more = more;
    this.table.refresh();
  }

  /** Say what was written. What could not be said is not lost. */
  async say() {
    const text = this.text.trim();
    if (!text) return;
    this.text = "";
    this.table.refresh();
    if (await this.table.tell("talk", { text })) return;
    this.text ||= text;
    this.table.refresh();
  }
}

// --- who is listened to

const muted = () => setting("muted").split(" ").filter(Boolean);

/** @param {Saying} saying */
const mutes = ({ by }) => muted().includes(by);

/** @param {Saying} saying */
function mute(saying) {
  const name = nameOf(saying);
  confirm(
    () => t("talk-mute-question", { name }),
    () => t("talk-mute", { name }),
    () => set("muted", [...muted(), saying.by].slice(-MUTED).join(" ")),
  );
}

/** @param {Saying} saying */
const unmute = (saying) =>
  set(
    "muted",
    muted()
      .filter((by) => by !== saying.by)
      .join(" "),
  );

// --- what is said

/** @param {Saying} saying */
const words = ({ courtesy, text }) => (courtesy ? t(`courtesy-${courtesy}`) : (text ?? ""));

/** Who said it, as they were called then. @param {Saying} saying */
function nameOf({ seat, name }) {
  if (seat === null && !name) return t("talk-spectator");
  return called(/** @type {import("../core/api-types.js").Seat} */ ({ seat: seat ?? 0, name }));
}

/** @param {Saying} saying */
const whole = (saying) => html`<bdi>${nameOf(saying)}</bdi>${t("colon")}<bdi>${words(saying)}</bdi>`;

/** @param {number} at */
const clock = (at) => new Date(at).toLocaleTimeString(language(), { hour: "numeric", minute: "2-digit" });

/** @param {Saying} saying @param {Saying | undefined} before */
function one(saying, before) {
  const goes = before?.by === saying.by && before.seat === saying.seat && saying.at - before.at < APART;
  return html`<li class="saying ${saying.you ? "mine" : ""}">
    ${goes ? nothing : head(saying)}
    <p class="${saying.courtesy ? "courtesy" : ""}" dir="auto">${translatable(words(saying))}</p></li>`;
}

/** @param {Saying} saying */
function head(saying) {
  const label = t("talk-mute", { name: nameOf(saying) });
  return html`<header>${saying.seat === null ? mark("eye") : shield(saying.seat, "tiny")}
    <b class="name"><bdi>${nameOf(saying)}</bdi></b>
    <time datetime=${new Date(saying.at).toISOString()}>${clock(saying.at)}</time>
    ${
      saying.you
        ? nothing
        : html`<button class="icon-button" title=${label} aria-label=${label}
          @click=${() => mute(saying)}>${mark("mute")}</button>`
    }</header>`;
}

/** What was said, the newest last. @param {Table} table */
export function sayings({ talk }) {
  const { heard, more } = talk;
  const silent = new Map(talk.sayings.filter(mutes).map((saying) => [saying.by, saying]));
  return html`<div class="sayings">
    ${
      more ? html`<button class="button quiet small" @click=${() => talk.older()}>${t("talk-older")}</button>` : nothing
    }
    ${heard.length ? nothing : html`<p class="quiet">${t("talk-none")}</p>`}
    <ol aria-label=${t("talk")}>${repeat(
      heard,
      ({ at }) => at,
      (saying, i) => one(saying, heard[i - 1]),
    )}</ol>
    ${[...silent.values()].map(
      (saying) => html`<button class="button quiet small"
        @click=${() => unmute(saying)}>${t("talk-unmute", { name: nameOf(saying) })}</button>`,
    )}</div>`;
}

/** What can be said, under it. @param {Table} table */
export function voice(table) {
  const { info, talk, mine } = table;
  if (info.quiet) return html`<div class="voice"><p class="quiet">${t("talk-quiet")}</p>${hushing(table)}</div>`;
  const over = info.status === "over";
  const first = over ? COURTESIES.length - LAST : 0;
  return html`<form class="voice" @submit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    talk.say();
    /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("input")?.focus(); // also after a click
  }} @keydown=${(/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") showPanel(table, "log");
  }}>
    ${mine.length || over ? nothing : html`<p class="quiet">${t("talk-gallery")}</p>`}
    <ul class="courtesies" aria-label=${t("talk-courtesies")}>${[
      ...COURTESIES.slice(first),
      ...COURTESIES.slice(0, first),
    ].map(
      (courtesy) => html`<li><button type="button" class="button quiet small"
        @click=${() => table.tell("talk", { courtesy })}>${t(`courtesy-${courtesy}`)}</button></li>`,
    )}</ul>
    <div class="write"><input aria-label=${t("talk-write")} placeholder=${t("talk-write")} maxlength=${LONGEST}
        dir="auto" autocomplete="off" enterkeyhint="send" .value=${live(talk.text)}
        @input=${(/** @type {any} */ event) => {
          talk.text = event.target.value;
        }}>
      <button class="button small">${t("talk-send")}</button></div>
  </form>`;
}

/** The words of the tab and the button: that there is talk, and how much of it is new. @param {Table} table */
export function label({ talk }) {
  const count = talk.unread;
  return html`${t("talk")}${
    count
      ? html` <b class="unread"><span aria-hidden="true">${count}</span>${unseen(t("talk-new", { count }))}</b>`
      : nothing
  }`;
}

/**
 * What others say just now: told to those who hear the page, and shown for a while where the panel is closed.
 * @param {Table} table
 */
export function voices(table) {
  const { talk } = table;
  return html`<div class="unseen" role="log" aria-live="polite" aria-label=${t("talk")}>${repeat(
    talk.news.filter((saying) => !mutes(saying)),
    ({ at }) => at,
    (saying) => html`<p>${whole(saying)}</p>`,
  )}</div>
  ${
    talk.passing && !talk.shown && !mutes(talk.passing)
      ? html`<button class="passing" @click=${() => showPanel(table, "talk")}>${
          talk.passing.seat === null ? mark("eye") : shield(talk.passing.seat, "tiny")
        }<span>${whole(talk.passing)}</span></button>`
      : nothing
  }`;
}

/** The host's switch. @param {Table} table */
export const hushing = (table) =>
  table.info.host && (table.info.quiet || offered(table))
    ? choice(
        t("talk-at-table"),
        [
          ["", t("talk-on")],
          ["quiet", t("talk-off")],
        ],
        table.info.quiet ? "quiet" : "",
        (value) => table.tell("quiet", { quiet: value === "quiet" }),
      )
    : nothing;
