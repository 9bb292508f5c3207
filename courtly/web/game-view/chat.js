/** The chat of a table: free text, and canned messages, which each reader sees in their own language. */
import { html, live, nothing, repeat } from "lit";
import { openConfirmDialog } from "../components/dialogs.js";
import { renderShield } from "../board-sdk/seat-shield.js";
import { saveTableData, loadTableData } from "../core/table-storage.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { request } from "../core/http-client.js";
import { renderChoice } from "../components/preferences-panel.js";
import { isPanelDrawer, currentLanguage, saveSetting, getSetting } from "../core/user-settings.js";
import { showPanel } from "./panels.js";
import { t } from "../core/i18n.js";
import { renderTranslatable } from "../core/translated-text.js";
import { playerName } from "../core/player-names.js";
import { hideVisually } from "../components/visually-hidden.js";

/**
 * @typedef {import("./game-view.js").GameView} GameView @typedef {import("../core/api-types.js").ChatMessage} Saying
 * @typedef {import("../core/api-types.js").CannedMessage} Courtesy @typedef {import("../core/api-types.js").FromServer}
 * FromServer
 */

/** In the order of use in a game; the last ones belong to its end. @type {Courtesy[]} */
const CANNED_MESSAGES = [
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
const END_MESSAGE_COUNT = 3;
const MAX_MESSAGE_LENGTH = 500; // characters
const HEADER_INTERVAL_MS = 5 * 60_000; // repeat the sender's name after this time
const MAX_MUTED_GUESTS = 200;
const MAX_MESSAGES = 200; // messages in memory at first; older ones are loaded on request and then stay, too
const MAX_ANNOUNCED = 5; // messages in the live region for screen readers
const PREVIEW_MS = [3000, 60]; // display time if the panel is closed: base, and per character

/**
 * Return whether the chat is shown: there are messages, or another person at the table. Spectators do not count.
 * @param {GameView} table
 */
export const isChatOffered = ({ info, chat, replay }) =>
  chat.messages.length > 0 ||
  (!info.quiet && !replay && info.seats.some((seat) => seat.kind === "person" && !seat.you));

export class Chat {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    /** @type {Saying[]} oldest first */
    this.messages = [];
    this.hasOlder = false; // are there messages before these?
    this.maxMessages = MAX_MESSAGES; // how many messages to keep in memory
    /** @type {Saying[]} messages of others since the page was opened */
    this.announced = [];
    /** @type {Saying | null} the newest of these, shown for a while if the panel is closed */
    this.preview = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.readUntil = loadTableData(table.info.id).read ?? 0; // time of the last message seen
    this.draft = ""; // the text in the input field
  }

  /** @param {FromServer} message */
  handleMessage(message) {
    if (message.type === "talk") {
      this.messages = message.sayings;
      this.hasOlder = message.more;
    } else if (message.type === "said") {
      const { saying } = message;
      this.messages.push(saying);
      if (this.messages.length > this.maxMessages) {
        this.messages.shift();
        this.hasOlder = true;
      }
      if (saying.you || isMuted(saying)) return;
      this.announced = [...this.announced, saying].slice(-MAX_ANNOUNCED);
      this.#showPreview(saying);
    }
  }

  /** Show a message for a while if the panel is closed. @param {Saying} saying */
  #showPreview(saying) {
    this.preview = saying;
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.preview = null;
        this.table.refresh();
      },
      PREVIEW_MS[0] + PREVIEW_MS[1] * messageText(saying).length,
    );
  }

  /** The messages of senders who are not muted. */
  get visibleMessages() {
    return this.messages.filter((saying) => !isMuted(saying));
  }

  /** The number of unread messages. */
  get unreadCount() {
    return this.visibleMessages.filter((saying) => !saying.you && saying.at > this.readUntil).length;
  }

  /** Whether the chat panel is open. */
  get isOpen() {
    return this.table.panel === "talk" && (this.table.panelOpen || !isPanelDrawer());
  }

  /** After a redraw: mark the visible messages as read. */
  markRead() {
    if (!this.isOpen || document.hidden) return;
    this.preview = null;
    const last = this.messages.at(-1)?.at ?? 0;
    if (last <= this.readUntil) return;
    this.readUntil = last;
    saveTableData(this.table.info.id, { read: last });
    this.table.refresh();
  }

  /** Load older messages. */
  async loadOlder() {
    const { info } = this.table;
    const { sayings, more } = await request("GET", `/api/tables/${info.id}/talk?before=${this.messages[0].at}`);
    this.messages = [...sayings, ...this.messages];
    this.maxMessages = Math.max(MAX_MESSAGES, this.messages.length);
    this.hasOlder = more;
    this.table.refresh();
  }

  /** Send the draft. If that fails, the draft is kept. */
  async sendDraft() {
    const text = this.draft.trim();
    if (!text) return;
    this.draft = "";
    this.table.refresh();
    if (await this.table.postCommand("talk", { text })) return;
    this.draft ||= text;
    this.table.refresh();
  }
}

// --- muting

const listMuted = () => getSetting("muted").split(" ").filter(Boolean);

/** @param {Saying} saying */
const isMuted = ({ by }) => listMuted().includes(by);

/** @param {Saying} saying */
function confirmMute(saying) {
  const name = senderName(saying);
  openConfirmDialog(
    () => t("talk-mute-question", { name }),
    () => t("talk-mute", { name }),
    () => saveSetting("muted", [...listMuted(), saying.by].slice(-MAX_MUTED_GUESTS).join(" ")),
  );
}

/** @param {Saying} saying */
const unmute = (saying) =>
  saveSetting(
    "muted",
    listMuted()
      .filter((by) => by !== saying.by)
      .join(" "),
  );

// --- rendering

/** @param {Saying} saying */
const messageText = ({ courtesy, text }) => (courtesy ? t(`courtesy-${courtesy}`) : (text ?? ""));

/** Return the sender's name at the time of the message. @param {Saying} saying */
function senderName({ seat, name }) {
  if (seat === null && !name) return t("talk-spectator");
  return playerName(/** @type {import("../core/api-types.js").Seat} */ ({ seat: seat ?? 0, name }));
}

/** @param {Saying} saying */
const renderMessageLine = (saying) =>
  html`<bdi>${senderName(saying)}</bdi>${t("colon")}<bdi>${messageText(saying)}</bdi>`;

/** @param {number} at */
const formatClockTime = (at) =>
  new Date(at).toLocaleTimeString(currentLanguage(), { hour: "numeric", minute: "2-digit" });

/** @param {Saying} saying @param {Saying | undefined} before */
function renderMessage(saying, before) {
  const continues =
    before?.by === saying.by && before.seat === saying.seat && saying.at - before.at < HEADER_INTERVAL_MS;
  return html`<li class="saying ${saying.you ? "mine" : ""}">
    ${continues ? nothing : renderHeader(saying)}
    <p class="${saying.courtesy ? "courtesy" : ""}" dir="auto">${renderTranslatable(messageText(saying))}</p></li>`;
}

/** @param {Saying} saying */
function renderHeader(saying) {
  const label = t("talk-mute", { name: senderName(saying) });
  return html`<header>${saying.seat === null ? renderUiIcon("eye") : renderShield(saying.seat, "tiny")}
    <b class="name"><bdi>${senderName(saying)}</bdi></b>
    <time datetime=${new Date(saying.at).toISOString()}>${formatClockTime(saying.at)}</time>
    ${
      saying.you
        ? nothing
        : html`<button class="icon-button" title=${label} aria-label=${label}
          @click=${() => confirmMute(saying)}>${renderUiIcon("mute")}</button>`
    }</header>`;
}

/** Render the messages, newest last. @param {GameView} table */
export function renderMessages({ chat }) {
  const { visibleMessages, hasOlder } = chat;
  const silent = new Map(chat.messages.filter(isMuted).map((saying) => [saying.by, saying]));
  return html`<div class="sayings">
    ${
      hasOlder
        ? html`<button class="button quiet small" @click=${() => chat.loadOlder()}>${t("talk-older")}</button>`
        : nothing
    }
    ${visibleMessages.length ? nothing : html`<p class="quiet">${t("talk-none")}</p>`}
    <ol aria-label=${t("talk")}>${repeat(
      visibleMessages,
      ({ at }) => at,
      (saying, i) => renderMessage(saying, visibleMessages[i - 1]),
    )}</ol>
    ${[...silent.values()].map(
      (saying) => html`<button class="button quiet small"
        @click=${() => unmute(saying)}>${t("talk-unmute", { name: senderName(saying) })}</button>`,
    )}</div>`;
}

/** Render the input field and the canned messages. @param {GameView} table */
export function renderComposer(table) {
  const { info, chat, mySeats } = table;
  if (info.quiet)
    return html`<div class="voice"><p class="quiet">${t("talk-quiet")}</p>${renderQuietSwitch(table)}</div>`;
  const over = info.status === "over";
  const first = over ? CANNED_MESSAGES.length - END_MESSAGE_COUNT : 0;
  return html`<form class="voice" @submit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    chat.sendDraft();
    /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("input")?.focus(); // keep the focus
  }} @keydown=${(/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") showPanel(table, "log");
  }}>
    ${mySeats.length || over ? nothing : html`<p class="quiet">${t("talk-gallery")}</p>`}
    <ul class="courtesies" aria-label=${t("talk-courtesies")}>${[
      ...CANNED_MESSAGES.slice(first),
      ...CANNED_MESSAGES.slice(0, first),
    ].map(
      (courtesy) => html`<li><button type="button" class="button quiet small"
        @click=${() => table.postCommand("talk", { courtesy })}>${t(`courtesy-${courtesy}`)}</button></li>`,
    )}</ul>
    <div class="write"><input aria-label=${t("talk-write")} placeholder=${t("talk-write")}
      maxlength=${MAX_MESSAGE_LENGTH}
        dir="auto" autocomplete="off" enterkeyhint="send" .value=${live(chat.draft)}
        @input=${(/** @type {any} */ event) => {
          chat.draft = event.target.value;
        }}>
      <button class="button small">${t("talk-send")}</button></div>
  </form>`;
}

/** Render the label of the chat's tab and button, with the number of unread messages. @param {GameView} table */
export function renderChatLabel({ chat }) {
  const count = chat.unreadCount;
  return html`${t("talk")}${
    count
      ? html` <b class="unread"><span aria-hidden="true">${count}</span>${hideVisually(t("talk-new", { count }))}</b>`
      : nothing
  }`;
}

/**
 * Render the newest messages of others: in a live region for screen readers, and for a while on the page if the panel
 * is closed.
 * @param {GameView} table
 */
export function renderAnnouncements(table) {
  const { chat } = table;
  return html`<div class="unseen" role="log" aria-live="polite" aria-label=${t("talk")}>${repeat(
    chat.announced.filter((saying) => !isMuted(saying)),
    ({ at }) => at,
    (saying) => html`<p>${renderMessageLine(saying)}</p>`,
  )}</div>
  ${
    chat.preview && !chat.isOpen && !isMuted(chat.preview)
      ? html`<button class="passing" @click=${() => showPanel(table, "talk")}>${
          chat.preview.seat === null ? renderUiIcon("eye") : renderShield(chat.preview.seat, "tiny")
        }<span>${renderMessageLine(chat.preview)}</span></button>`
      : nothing
  }`;
}

/** Render the host's switch that turns the chat off. @param {GameView} table */
export const renderQuietSwitch = (table) =>
  table.info.host && (table.info.quiet || isChatOffered(table))
    ? renderChoice(
        t("talk-at-table"),
        [
          ["", t("talk-on")],
          ["quiet", t("talk-off")],
        ],
        table.info.quiet ? "quiet" : "",
        (value) => table.postCommand("quiet", { quiet: value === "quiet" }),
      )
    : nothing;
