/** Keyboard shortcuts of the table, and the dialog that lists them. */
import { html, nothing } from "lit";
import { focusFirstChoice, leadToTargets } from "./focus-choices.js";
import { toggleHints } from "./hints.js";
import { openDialog } from "../components/dialogs.js";
import { keyCharacter } from "../core/key-names.js";
import { getPointedItem } from "../components/rules/search.js";
import { showPanel, showRules } from "./panels.js";
import { renderChoice } from "../components/preferences-panel.js";
import { saveSetting, getSetting } from "../core/user-settings.js";
import { isChatOffered } from "./chat.js";
import { t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").GameView} GameView */

/** @type {Record<string, [string, (table: GameView) => void]>} by key: message id, action */
const SHORTCUTS = {
  u: ["undo", (table) => table.undo()],
  l: ["log", (table) => showPanel(table, "log")],
  h: ["help-ask", toggleHints],
  c: ["chat", (table) => isChatOffered(table) && focusChatInput(table)],
  r: ["rules", (table) => showRules(table, getPointedItem())],
  p: ["switch-plain", (table) => saveSetting("plain", table.isPlain ? "" : "yes")],
  v: ["replay-since", (table) => table.reviewLastTurn()],
  b: ["key-board", focusFirstChoice],
  "?": ["help", () => openHelp()],
};

/** Open the chat and focus its input field. @param {GameView} table */
async function focusChatInput(table) {
  if (!table.chat.isOpen) showPanel(table, "chat");
  await null; // until it is drawn
  /** @type {HTMLElement | null} */ (document.querySelector(".composer input"))?.focus();
}

/** @param {GameView} table */
export function installShortcuts(table) {
  addEventListener(
    "keydown",
    (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
      if (leadToTargets(table, event)) return event.preventDefault();
      if (event.key === "Escape") {
        table.viewPlayer.skipToEnd();
        if (table.endDisplay.isWaiting) table.endDisplay.show();
        table.panelOpen = false;
        table.refresh();
      }
      if (table.replay?.handleKey(event)) return event.preventDefault();
      const key = getSetting("keys") === "off" ? undefined : SHORTCUTS[keyCharacter(event)];
      if (!key) return;
      event.preventDefault();
      if (!event.repeat) key[1](table);
    },
    table.listenerOptions,
  );
}

export function openHelp() {
  openDialog(
    "help",
    () => t("help"),
    () => html`
    <p>${t("help-text")}${getSetting("keys") === "off" ? nothing : t("sentence-space") + t("help-rules")}</p>
    <dl class="keys">
      ${(getSetting("keys") === "off" ? [] : Object.entries(SHORTCUTS)).map(
        ([key, [message]]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(message)}</dd></div>`,
      )}
      <div><dt><kbd>Tab</kbd> <kbd>Enter</kbd></dt><dd>${t("key-tab")}</dd></div>
      <div><dt><kbd>←</kbd> <kbd>↑</kbd> <kbd>→</kbd> <kbd>↓</kbd></dt><dd>${t("key-arrows")}</dd></div>
      <div><dt><kbd>Esc</kbd></dt><dd>${t("key-escape")}</dd></div>
    </dl>
    <div class="preferences">${renderChoice(
      t("keys"),
      [
        ["", t("on")],
        ["off", t("off")],
      ],
      getSetting("keys"),
      (value) => saveSetting("keys", value),
      t("keys-about"),
    )}</div>`,
  );
}
