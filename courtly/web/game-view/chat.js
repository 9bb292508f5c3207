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
 * @typedef {import("./game-view.js").GameView} GameView
 * @typedef {import("../core/api-types.js").ChatMessage} ChatMessage
 * @typedef {import("../core/api-types.js").CannedMessage} CannedMessage
 * @typedef {import("../core/api-types.js").FromServer} FromServer
 */

/** In the order of use in a game; the last ones belong to its end. @type {CannedMessage[]} */
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
  (!info.chat_muted && !replay && info.seats.some((seat) => seat.kind === "person" && !seat.you));

export class Chat {
  /** @param {GameView} table */
  constructor(table) {
    this.table = table;
    /** @type {ChatMessage[]} oldest first */
    this.messages = [];
    this.hasOlder = false; // are there messages before these?
    this.maxMessages = MAX_MESSAGES; // how many messages to keep in memory
    /** @type {ChatMessage[]} messages of others since the page was opened */
    this.announced = [];
    /** @type {ChatMessage | null} the newest of these, shown for a while if the panel is closed */
    this.preview = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.readUntil = loadTableData(table.info.id).read ?? 0; // time of the last message seen
    this.draft = ""; // the text in the input field
  }

  /** @param {FromServer} message */
  handleMessage(message) {
    if (message.type === "chat_page") {
      this.messages = message.messages;
      this.hasOlder = message.more;
    } else if (message.type === "chat_message") {
      const chatMessage = message.message;
      this.messages.push(chatMessage);
      if (this.messages.length > this.maxMessages) {
        this.messages.shift();
        this.hasOlder = true;
      }
      if (chatMessage.you || isMuted(chatMessage)) return;
      this.announced = [...this.announced, chatMessage].slice(-MAX_ANNOUNCED);
      this.#showPreview(chatMessage);
    }
  }

  /** Show a message for a while if the panel is closed. @param {ChatMessage} message */
  #showPreview(message) {
    this.preview = message;
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.preview = null;
        this.table.refresh();
      },
      PREVIEW_MS[0] + PREVIEW_MS[1] * messageText(message).length,
    );
  }

  /** The messages of senders who are not muted. */
  get visibleMessages() {
    return this.messages.filter((message) => !isMuted(message));
  }

  /** The number of unread messages. */
  get unreadCount() {
    return this.visibleMessages.filter((message) => !message.you && message.sent_at > this.readUntil).length;
  }

  /** Whether the chat panel is open. */
  get isOpen() {
    return this.table.panel === "chat" && (this.table.panelOpen || !isPanelDrawer());
  }

  /** After a redraw: mark the visible messages as read. */
  markRead() {
    if (!this.isOpen || document.hidden) return;
    this.preview = null;
    const last = this.messages.at(-1)?.sent_at ?? 0;
    if (last <= this.readUntil) return;
    this.readUntil = last;
    saveTableData(this.table.info.id, { read: last });
    this.table.refresh();
  }

  /** Load older messages. */
  async loadOlder() {
    const { info } = this.table;
    const { messages, more } = await request("GET", `/api/tables/${info.id}/chat?before=${this.messages[0].sent_at}`);
    this.messages = [...messages, ...this.messages];
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
    if (await this.table.postCommand("chat", { text })) return;
    this.draft ||= text;
    this.table.refresh();
  }
}

// --- muting

const listMuted = () => getSetting("muted").split(" ").filter(Boolean);

/** @param {ChatMessage} message */
const isMuted = ({ author }) => listMuted().includes(author);

/** @param {ChatMessage} message */
function confirmMute(message) {
  const name = senderName(message);
  openConfirmDialog(
    () => t("chat-mute-question", { name }),
    () => t("chat-mute", { name }),
    () => saveSetting("muted", [...listMuted(), message.author].slice(-MAX_MUTED_GUESTS).join(" ")),
  );
}

/** @param {ChatMessage} message */
const unmute = (message) =>
  saveSetting(
    "muted",
    listMuted()
      .filter((author) => author !== message.author)
      .join(" "),
  );

// --- rendering

/** @param {ChatMessage} message */
const messageText = ({ canned_message, text }) =>
  canned_message ? t(`canned-message-${canned_message}`) : (text ?? "");

/** Return the sender's name at the time of the message. @param {ChatMessage} message */
function senderName({ seat, name }) {
  if (seat === null && !name) return t("chat-spectator");
  return playerName(/** @type {import("../core/api-types.js").Seat} */ ({ seat: seat ?? 0, name }));
}

/** @param {ChatMessage} message */
const renderMessageLine = (message) =>
  html`<bdi>${senderName(message)}</bdi>${t("colon")}<bdi>${messageText(message)}</bdi>`;

/** @param {number} at */
const formatClockTime = (at) =>
  new Date(at).toLocaleTimeString(currentLanguage(), { hour: "numeric", minute: "2-digit" });

/** @param {ChatMessage} message @param {ChatMessage | undefined} before */
function renderMessage(message, before) {
  const continues =
    before?.author === message.author &&
    before.seat === message.seat &&
    message.sent_at - before.sent_at < HEADER_INTERVAL_MS;
  const kind = message.canned_message ? "canned" : "";
  return html`<li class="message ${message.you ? "mine" : ""}">
    ${continues ? nothing : renderHeader(message)}
    <p class="${kind}" dir="auto">${renderTranslatable(messageText(message))}</p></li>`;
}

/** @param {ChatMessage} message */
function renderHeader(message) {
  const label = t("chat-mute", { name: senderName(message) });
  return html`<header>${message.seat === null ? renderUiIcon("eye") : renderShield(message.seat, "tiny")}
    <b class="name"><bdi>${senderName(message)}</bdi></b>
    <time datetime=${new Date(message.sent_at).toISOString()}>${formatClockTime(message.sent_at)}</time>
    ${
      message.you
        ? nothing
        : html`<button class="icon-button" title=${label} aria-label=${label}
          @click=${() => confirmMute(message)}>${renderUiIcon("mute")}</button>`
    }</header>`;
}

/** Render the messages, newest last. @param {GameView} table */
export function renderMessages({ chat }) {
  const { visibleMessages, hasOlder } = chat;
  const silent = new Map(chat.messages.filter(isMuted).map((message) => [message.author, message]));
  return html`<div class="messages">
    ${
      hasOlder
        ? html`<button class="button quiet small" @click=${() => chat.loadOlder()}>${t("chat-older")}</button>`
        : nothing
    }
    ${visibleMessages.length ? nothing : html`<p class="quiet">${t("chat-none")}</p>`}
    <ol aria-label=${t("chat")}>${repeat(
      visibleMessages,
      ({ sent_at }) => sent_at,
      (message, i) => renderMessage(message, visibleMessages[i - 1]),
    )}</ol>
    ${[...silent.values()].map(
      (message) => html`<button class="button quiet small"
        @click=${() => unmute(message)}>${t("chat-unmute", { name: senderName(message) })}</button>`,
    )}</div>`;
}

/** Render the input field and the canned messages. @param {GameView} table */
export function renderComposer(table) {
  const { info, chat, mySeats } = table;
  if (info.chat_muted)
    return html`<div class="composer"><p class="quiet">${t("chat-muted")}</p>${renderMuteSwitch(table)}</div>`;
  const isOver = info.status === "over";
  const first = isOver ? CANNED_MESSAGES.length - END_MESSAGE_COUNT : 0;
  return html`<form class="composer" @submit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    chat.sendDraft();
    /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("input")?.focus(); // keep the focus
  }} @keydown=${(/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") showPanel(table, "log");
  }}>
    ${mySeats.length || isOver ? nothing : html`<p class="quiet">${t("chat-for-spectators")}</p>`}
    <ul class="canned-messages" aria-label=${t("chat-canned-messages")}>${[
      ...CANNED_MESSAGES.slice(first),
      ...CANNED_MESSAGES.slice(0, first),
    ].map(
      (canned_message) => html`<li><button type="button" class="button quiet small"
        @click=${() => table.postCommand("chat", { canned_message })}
        >${t(`canned-message-${canned_message}`)}</button></li>`,
    )}</ul>
    <div class="write"><input aria-label=${t("chat-write")} placeholder=${t("chat-write")}
      maxlength=${MAX_MESSAGE_LENGTH}
        dir="auto" autocomplete="off" enterkeyhint="send" .value=${live(chat.draft)}
        @input=${(/** @type {any} */ event) => {
          chat.draft = event.target.value;
        }}>
      <button class="button small">${t("chat-send")}</button></div>
  </form>`;
}

/** Render the label of the chat's tab and button, with the number of unread messages. @param {GameView} table */
export function renderChatLabel({ chat }) {
  const count = chat.unreadCount;
  return html`${t("chat")}${
    count
      ? html` <b class="unread"><span aria-hidden="true">${count}</span>${hideVisually(t("chat-new", { count }))}</b>`
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
  return html`<div class="unseen" role="log" aria-live="polite" aria-label=${t("chat")}>${repeat(
    chat.announced.filter((message) => !isMuted(message)),
    ({ sent_at }) => sent_at,
    (message) => html`<p>${renderMessageLine(message)}</p>`,
  )}</div>
  ${
    chat.preview && !chat.isOpen && !isMuted(chat.preview)
      ? html`<button class="passing" @click=${() => showPanel(table, "chat")}>${
          chat.preview.seat === null ? renderUiIcon("eye") : renderShield(chat.preview.seat, "tiny")
        }<span>${renderMessageLine(chat.preview)}</span></button>`
      : nothing
  }`;
}

/** Render the host's switch that turns the chat off. @param {GameView} table */
export const renderMuteSwitch = (table) =>
  table.info.host && (table.info.chat_muted || isChatOffered(table))
    ? renderChoice(
        t("chat-at-table"),
        [
          ["", t("chat-on")],
          ["muted", t("chat-off")],
        ],
        table.info.chat_muted ? "muted" : "",
        (value) => table.postCommand("chat-muted", { chat_muted: value === "muted" }),
      )
    : nothing;
