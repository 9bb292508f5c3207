/** The page of a table: banner, board or plain rendering, seats, log or rules. */
import { html, nothing } from "lit";
import { renderOdds, areHintsOffered, renderHintPanel, renderHintButton } from "./hints.js";
import { focusFirstChoice } from "./focus-choices.js";
import { formatError } from "../components/dialogs.js";
import { renderLog, renderNews } from "./log.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { renderBreakable } from "../core/line-breaking.js";
import { renderNotes } from "./notes.js";
import { renderPlainView } from "./plain-view.js";
import { getTappedItem } from "../components/rules/search.js";
import { isReviewPanelOffered, renderReviewPanel } from "./review.js";
import { renderRules } from "../components/rules/rules.js";
import { renderSeats } from "./seats.js";
import { describeStatus } from "./status-line.js";
import { isPanelDrawer, saveSetting } from "../core/user-settings.js";
import { showPanel, showRules, titleWithKey } from "./panels.js";
import { openMenu } from "./table-menu.js";
import { renderChatLabel, isChatOffered, renderMessages, renderComposer, renderAnnouncements } from "./chat.js";
import { renderGameEnd } from "./game-end.js";
import { renderBoardError } from "./board-error.js";
import { renderPreGame } from "./pre-game.js";
import { t } from "../core/i18n.js";
import { HOME_URL } from "../core/page-address.js";

/** @typedef {import("./game-view.js").GameView} GameView */

/** @param {GameView} table */
export function renderPage(table) {
  const { info, about, ui } = table;
  return html`<div class="table ${table.isPlain ? "is-plain" : "is-pictured"} ${
    table.panelOpen ? "panel-open" : ""
  } ${table.pendingCommand ? "sending" : ""}
      ${info.status} ${table.guide ? "taught" : ""} ${table.replay ? "looking-back" : ""}" translate="no"
      @pointerdown=${(/** @type {Event} */ event) => skipByClick(table, event)}
      @click=${{ capture: true, handleEvent: (/** @type {Event} */ event) => closeByTap(table, event) }}>
    <header class="bar">
      <a class="leap" href="#board" @click=${(/** @type {Event} */ event) => {
        event.preventDefault();
        focusFirstChoice(table);
      }}>${t("key-board")}</a>
      ${renderHomeLink(table)}
      <h1>${renderBreakable(t(about.id))}</h1>
      ${renderBanner(table)}
      <div class="tools">${renderTools(table)}</div>
      ${renderOdds(table)}
      ${table.guide?.render() ?? nothing}
    </header>
    <div class="warnings">${
      table.isConnected
        ? nothing
        : html`<p class="lost" role="status">${t(table.connectionMessage)}${renderPendingCommand(table)}</p>`
    }
      ${table.turnAlerts.permissionPrompt}${table.whileAway.render()}
      ${table.boardError ? renderBoardError(table.boardError, Boolean(table.board.board)) : nothing}</div>
    ${renderSeats(table)}
    ${renderStage(table)}
    ${table.replay?.renderControls() ?? nothing}
    ${renderSidePanel(table)}
    ${isChatOffered(table) ? renderAnnouncements(table) : nothing}
    ${
      ui.view && !table.isPlain
        ? html`<section class="unseen"
          aria-label=${t("news")}>${renderNews(table)}</section>`
        : nothing
    }
  </div>`;
}

/** Render the link that leaves the table. @param {GameView} table */
function renderHomeLink({ source: { leave } }) {
  const backLabel = t(leave ? "offline-play" : "to-lobby");
  return html`<a class="home" href=${leave ? location.pathname : HOME_URL} aria-label=${backLabel} title=${backLabel}
      @click=${(/** @type {Event} */ event) => {
        if (!leave) return;
        event.preventDefault();
        leave();
      }}><span class="logo"></span></a>`;
}

/** Render the command that waits for the connection. @param {GameView} table */
function renderPendingCommand({ pendingCommand, ui }) {
  if (!pendingCommand) return nothing;
  const moves = pendingCommand.moves.length ? ui.movesText(pendingCommand.moves) : t("undo");
  return html` <b>${t("connection-waits", { moves })}</b>`;
}

/** @param {GameView} table */
function renderStage(table) {
  const { info, ui, board, handTo } = table;
  if (handTo !== null) return renderCurtain(table, handTo);
  if (!ui.view)
    return html`<main id="board" tabindex="-1" class="stage">${
      info.status === "waiting"
        ? renderPreGame(table)
        : html`<p class="quiet">${info.problem ? formatError(info.problem) : t("loading")}</p>`
    }</main>`;
  if (table.isPlain)
    return html`<main id="board" tabindex="-1" class="stage plain">${
      table.isResultShown ? renderGameEnd(table) : nothing
    }${renderPlainView(table)}</main>`;
  return html`<main id="board" tabindex="-1" class="stage ${ui.view.legal.length ? "mine" : ""}"
      aria-label=${t("board")}>
    ${table.isResultShown ? renderGameEnd(table) : nothing}
    <div class="board of-game">${board.board?.(ui.view, ui)}</div></main>`;
}

/** @param {GameView} table */
function renderBanner(table) {
  const { text, mine } = describeStatus(table);
  return html`<p class="now ${mine ? "mine" : ""}" role="status"><span>${text}</span>${renderMaskedResponse(
    table,
  )}</p>`;
}

/** Render the answer that waits for its delay. @param {GameView} table */
function renderMaskedResponse({ responseMask, isReplaced, handTo, ui }) {
  if (!responseMask.answer || isReplaced || handTo !== null) return nothing;
  const { isForced } = responseMask;
  const text = t(isForced ? "reply-only" : "reply-chosen", { answer: ui.movesText(responseMask.answer) });
  return html`<small class="reply ${isForced ? "forced" : ""}"
      .style=${`--wait: ${responseMask.delayMs}ms`}>${text}</small>`;
}

/** @param {GameView} table */
function renderTools(table) {
  const { view, viewPlayer, endDisplay } = table;
  const skip = () => (endDisplay.isWaiting ? endDisplay.show() : viewPlayer.skipToEnd());
  return html`
    ${
      (viewPlayer.isBusy && !viewPlayer.isHeld) || endDisplay.isWaiting
        ? html`<button class="icon-button skip" title=${t("skip")} aria-label=${t("skip")}
          @click=${skip}>${renderUiIcon("farOn")}</button>`
        : nothing
    }
    ${
      table.replay
        ? nothing
        : html`${renderHintButton(table)}
    <button class="icon-button" aria-disabled=${!view?.undo || !table.ui.canPlay} title=${titleWithKey(t("undo"), "u")}
        @click=${() => table.undo()}>
      ${renderUiIcon("undo")}<span>${t("undo")}</span></button>`
    }
    <button class="icon-button only-drawer" aria-expanded=${table.panelOpen && table.panel === "log"}
        title=${t("log")} @click=${() => showPanel(table, "log")}>
      ${renderUiIcon("log")}<span>${t("log")}</span></button>
    ${
      isChatOffered(table)
        ? html`<button class="icon-button only-drawer" aria-expanded=${table.panelOpen && table.panel === "chat"}
          title=${titleWithKey(t("chat"), "c")}
          @click=${() => showPanel(table, "chat")}>${renderUiIcon("chat")}<span
            >${renderChatLabel(table)}</span></button>`
        : nothing
    }
    ${
      isReviewPanelOffered(table)
        ? html`<button class="icon-button only-drawer" aria-expanded=${table.panelOpen && table.panel === "review"}
          title=${t("replay-review")}
          @click=${() => showPanel(table, "review")}>${renderUiIcon("chart")}<span
            >${t("replay-review")}</span></button>`
        : nothing
    }
    <button class="icon-button" aria-expanded=${table.panel === "rules" && (table.panelOpen || !isPanelDrawer())}
        title=${titleWithKey(t("rules"), "r")}
      @click=${() => {
        const item = getTappedItem(table);
        if (item) showRules(table, item);
        else showPanel(table, table.panel === "rules" && !isPanelDrawer() ? "log" : "rules");
      }}>${renderUiIcon("book")}<span>${t("rules")}</span></button>
    ${
      table.board.board
        ? html`<button class="icon-button" title=${titleWithKey(t("switch-plain"), "p")} aria-pressed=${table.isPlain}
          @click=${() =>
            saveSetting(
              "plain",
              table.isPlain ? "" : "yes",
            )}>${renderUiIcon(table.isPlain ? "picture" : "text")}<span>${
            table.isPlain ? t("pictured") : t("plain")
          }</span></button>`
        : nothing
    }
    <button class="icon-button" title=${t("menu")} aria-haspopup="dialog"
        @click=${() => openMenu(table)}>${renderUiIcon("menu")}<span>${t("menu")}</span></button>`;
}

/** @param {GameView} table */
function renderSidePanel(table) {
  const choose = (/** @type {GameView["panel"]} */ panel) => () => {
    table.panel = panel;
    table.refresh();
  };
  const hasReviewPanel = isReviewPanelOffered(table);
  const available = {
    log: true,
    rules: true,
    advice: areHintsOffered(table),
    chat: isChatOffered(table),
    review: hasReviewPanel,
  };
  if (!available[table.panel]) table.panel = "log";
  const renderers = {
    // a log may be long: rendered only while it is visible
    log: () => (table.panelOpen || !isPanelDrawer() ? renderLog(table) : nothing),
    rules: () => renderRules(table.about, () => table.refresh()),
    advice: () => renderHintPanel(table),
    chat: () => renderMessages(table),
    review: () => renderReviewPanel(table),
  };
  return html`<aside class="side ${table.panel}" aria-label=${t(table.panel)}>
    <header class="tabs">
      <button aria-pressed=${table.panel === "log"} @click=${choose("log")}>${t("log")}</button>
      <button aria-pressed=${table.panel === "rules"} @click=${choose("rules")}>${t("rules")}</button>
      ${
        areHintsOffered(table)
          ? html`<button aria-pressed=${table.panel === "advice"} @click=${choose("advice")}>${t("advice")}</button>`
          : nothing
      }
      ${
        isChatOffered(table)
          ? html`<button aria-pressed=${table.panel === "chat"}
            @click=${choose("chat")}>${renderChatLabel(table)}</button>`
          : nothing
      }
      ${
        hasReviewPanel
          ? html`<button aria-pressed=${table.panel === "review"}
              @click=${choose("review")}>${t("replay-review")}</button>`
          : nothing
      }
      <button class="icon-button only-drawer" aria-label=${t("close")} @click=${() => {
        table.panelOpen = false;
        table.refresh();
      }}>${renderUiIcon("close")}</button>
    </header>
    ${
      table.panel === "log"
        ? html`<div class="log-tools">${renderOrigin(table)}${renderSinceButton(table)}${renderNotes(table)}</div>`
        : nothing
    }
    <div class="scroll" tabindex="0" role="region" aria-label=${t(table.panel)}>
      ${renderers[table.panel]()}</div>
    ${table.panel === "chat" ? renderComposer(table) : nothing}
  </aside>`;
}

/** Render from which move of another game this one was played on, and the way back there. @param {GameView} table */
const renderOrigin = ({ about, source: { fromMove, fromAddress } }) =>
  fromMove
    ? html`<p class="quiet">${t("played-on", { name: t(about.id), move: fromMove })}${
        fromAddress ? html`<br><a href=${fromAddress}>${t("played-on-back")}</a>` : nothing
      }</p>`
    : nothing;

/** Render the button that replays what happened since the last turn. @param {GameView} table */
const renderSinceButton = (table) =>
  table.canLookBack && !table.guide
    ? html`<button class="button quiet small since" title=${titleWithKey(t("replay-since"), "v")}
        @click=${() => table.reviewLastTurn()}>${renderUiIcon("before")} ${t("replay-since")}</button>`
    : nothing;

/** @param {GameView} table @param {number} seat */
function renderCurtain(table, seat) {
  return html`<main id="board" tabindex="-1" class="stage curtain"><div class="curtain-inner">
    ${table.ui.renderShield(seat, "big")}
    <h2>${t("hand-over", { name: table.ui.playerName(seat) })}</h2>
    <button class="button" autofocus @click=${() => table.showSeat(seat)}>${t("i-am", {
      name: table.ui.playerName(seat),
    })}</button>
  </div></main>`;
}

/**
 * Skip the running animations when the board is clicked.
 * @param {GameView} table @param {Event} event
 */
function skipByClick(table, event) {
  if (!(/** @type {Element} */ (event.target).closest(".stage"))) return;
  if (table.viewPlayer.isBusy) table.viewPlayer.skipToEnd();
  else if (table.endDisplay.isWaiting) table.endDisplay.show();
}

/**
 * Close the drawer when the page beside it is tapped; the tap has no other effect.
 * @param {GameView} table @param {Event} event
 */
function closeByTap(table, event) {
  if (!table.panelOpen || !isPanelDrawer() || /** @type {Element} */ (event.target).closest(".side, .tools, .past"))
    return;
  event.stopPropagation();
  event.preventDefault();
  table.panelOpen = false;
  table.refresh();
}
