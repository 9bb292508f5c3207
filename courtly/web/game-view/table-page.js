/** The table drawn: banner, board or plain rendering, seats, log or rules. */
import { html, nothing } from "lit";
import { odds, offered, panel, tool } from "./hints.js";
import { focusChoice } from "./focus-choices.js";
import { said } from "../components/dialogs.js";
import { log, news } from "./log.js";
import { mark } from "../board-sdk/ui-icons.js";
import { breakable } from "../core/line-breaking.js";
import { notes } from "./notes.js";
import { plain } from "./plain-view.js";
import { tapped } from "../components/rules/search.js";
import { rules } from "../components/rules/rules.js";
import { seats } from "./seats.js";
import { crowded, set } from "../core/user-settings.js";
import { showPanel, showRules, titled } from "./shortcuts.js";
import { menu } from "./table-menu.js";
import { label, offered as talks, sayings, voice, voices } from "./chat.js";
import { end } from "./game-end.js";
import { told } from "./board-error.js";
import { waiting } from "./pre-game.js";
import { list, t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").Table} Table */

/** @param {Table} table */
export function page(table) {
  const { info, about, ui } = table;
  return html`<div class="table ${table.plain ? "is-plain" : "is-pictured"} ${
    table.panelOpen ? "panel-open" : ""
  } ${table.sent ? "sending" : ""}
      ${info.status} ${table.guide ? "taught" : ""} ${table.replay ? "looking-back" : ""}" translate="no"
      @pointerdown=${(/** @type {Event} */ event) => skipByClick(table, event)}
      @click=${{ capture: true, handleEvent: (/** @type {Event} */ event) => closeByTap(table, event) }}>
    <header class="bar">
      <a class="leap" href="#board" @click=${(/** @type {Event} */ event) => {
        event.preventDefault();
        focusChoice(table);
      }}>${t("key-board")}</a>
      ${home(table)}
      <h1>${breakable(t(about.id))}</h1>
      ${banner(table)}
      <div class="tools">${tools(table)}</div>
      ${odds(table)}
      ${table.guide?.draw() ?? nothing}
    </header>
    <div class="warnings">${
      table.connected ? nothing : html`<p class="lost" role="status">${t(table.lost)}${onItsWay(table)}</p>`
    }
      ${table.turn.offer}${table.recap.draw()}
      ${table.fault ? told(table.fault, Boolean(table.board.board)) : nothing}</div>
    ${seats(table)}
    ${stage(table)}
    ${table.replay?.bar() ?? nothing}
    ${side(table)}
    ${talks(table) ? voices(table) : nothing}
    ${
      ui.view && !table.plain
        ? html`<section class="unseen"
          aria-label=${t("news")}>${news(table)}</section>`
        : nothing
    }
  </div>`;
}

/** The way out. @param {Table} table */
function home({ source: { leave } }) {
  const where = t(leave ? "offline-play" : "to-lobby");
  return html`<a class="home" href=${leave ? location.pathname : "/"} aria-label=${where} title=${where}
      @click=${(/** @type {Event} */ event) => {
        if (!leave) return;
        event.preventDefault();
        leave();
      }}><span class="logo"></span></a>`;
}

/** What was done here and waits for the connection. @param {Table} table */
function onItsWay({ sent, ui }) {
  if (!sent) return nothing;
  const moves = sent.moves.length ? list(sent.moves.map((move) => ui.order(move))) : t("undo");
  return html` <b>${t("connection-waits", { moves })}</b>`;
}

/** @param {Table} table */
function stage(table) {
  const { info, ui, board, handTo } = table;
  if (handTo !== null) return curtain(table, handTo);
  if (!ui.view)
    return html`<main id="board" tabindex="-1" class="stage">${
      info.status === "waiting"
        ? waiting(table)
        : html`<p class="quiet">${info.problem ? said(info.problem) : t("loading")}</p>`
    }</main>`;
  if (table.plain)
    return html`<main id="board" tabindex="-1" class="stage plain">${
      ui.view.over && !table.replay ? end(table) : nothing
    }${plain(table)}</main>`;
  return html`<main id="board" tabindex="-1" class="stage ${ui.view.legal.length ? "mine" : ""}"
      aria-label=${t("board")}>
    ${ui.view.over && !table.player.busy && !table.replay ? end(table) : nothing}
    <div class="board of-game">${board.board?.(ui.view, ui)}</div></main>`;
}

/** Whose turn, and what to do. @param {Table} table @returns {{text: string, mine: boolean}} */
export function now({ info, ui, board, handTo }) {
  const view = ui.view;
  if (info.problem) return { text: said(info.problem), mine: false };
  if (handTo !== null) return { text: t("hand-over", { name: ui.name(handTo) }), mine: false };
  if (info.status === "waiting" || !view)
    return { text: info.status === "waiting" ? t("waiting-for-players") : "", mine: false };
  if (view.over) return { text: outcomeLine(view, ui), mine: false };
  if (view.legal.length && info.seats[view.seat ?? -1]?.standin) return { text: t("standin-plays"), mine: false };
  if (view.legal.length) return { text: board.prompt?.(view, ui) || t("your-turn"), mine: true };
  if (!view.pending.length) return { text: t("dev-drawn"), mine: false }; // in the inspector alone
  if (view.pending.length === 1) return { text: t("turn-of", { name: ui.name(view.pending[0]) }), mine: false };
  return {
    text: t("turn-of-several", { names: ui.names(view.pending) }),
    mine: false,
  };
}

/** @param {import("../core/api-types.js").View} view @param {import("../board-sdk/board-context.js").Ui} ui */
function outcomeLine(view, ui) {
  const scores = view.scores ?? [];
  const best = Math.max(...scores);
  const winners = scores.flatMap((score, seat) => (score === best ? [seat] : []));
  if (winners.length > 1) return t("draw", { names: ui.names(winners) });
  return winners[0] === view.seat ? t("you-won") : t("won", { name: ui.name(winners[0]) });
}

/** @param {Table} table */
function banner(table) {
  const { text, mine } = now(table);
  return html`<p class="now ${mine ? "mine" : ""}" role="status">${text}${waitingReply(table)}</p>`;
}

/** An answer that waits for its time. @param {Table} table */
function waitingReply({ replies, replaced, handTo, ui }) {
  if (!replies.answer || replaced || handTo !== null) return nothing;
  const answer = list(replies.answer.map((move) => ui.order(move)));
  return html`<small class="reply" .style=${`--wait: ${replies.wait}ms`}>${t(
    replies.forced ? "reply-only" : "reply-chosen",
    { answer },
  )}</small>`;
}

/** @param {Table} table */
function tools(table) {
  const { view, player } = table;
  return html`
    ${
      player.busy
        ? html`<button class="icon-button skip" title=${t("skip")} aria-label=${t("skip")}
          @click=${() => player.skip()}>${mark("skip")}</button>`
        : nothing
    }
    ${
      table.replay
        ? nothing
        : html`${tool(table)}
    <button class="icon-button" ?disabled=${!view?.undo || !table.ui.free} title=${titled(t("undo"), "u")}
        @click=${() => table.undo()}>
      ${mark("undo")}<span>${t("undo")}</span></button>`
    }
    <button class="icon-button only-drawer" aria-expanded=${table.panelOpen && table.panel === "log"}
        title=${t("log")} @click=${() => showPanel(table, "log")}>
      ${mark("log")}<span>${t("log")}</span></button>
    ${
      talks(table)
        ? html`<button class="icon-button only-drawer" aria-expanded=${table.panelOpen && table.panel === "talk"}
          title=${titled(t("talk"), "c")}
          @click=${() => showPanel(table, "talk")}>${mark("talk")}<span>${label(table)}</span></button>`
        : nothing
    }
    <button class="icon-button" aria-expanded=${table.panel === "rules" && (table.panelOpen || !crowded())}
        title=${titled(t("rules"), "r")}
      @click=${() => {
        const thing = tapped(table);
        if (thing) showRules(table, thing);
        else showPanel(table, table.panel === "rules" && !crowded() ? "log" : "rules");
      }}>${mark("book")}<span>${t("rules")}</span></button>
    ${
      table.board.board
        ? html`<button class="icon-button" title=${titled(t("switch-plain"), "p")} aria-pressed=${table.plain}
          @click=${() => set("plain", table.plain ? "" : "yes")}>${mark(table.plain ? "picture" : "text")}<span>${
            table.plain ? t("pictured") : t("plain")
          }</span></button>`
        : nothing
    }
    <button class="icon-button" title=${t("menu")} aria-haspopup="dialog"
        @click=${() => menu(table)}>${mark("menu")}<span>${t("menu")}</span></button>`;
}

/** @param {Table} table */
function side(table) {
  const choose = (/** @type {Table["panel"]} */ panel) => () => {
    table.panel = panel;
    table.refresh();
  };
  const reviewed = table.replay?.reviewed.offered ?? false;
  const there = { log: true, rules: true, advice: offered(table), talk: talks(table), review: reviewed };
  if (!there[table.panel]) table.panel = "log";
  const drawn = {
    // which may be long: not where nobody sees it
    log: () => html`${since(table)}${notes(table)}${table.panelOpen || !crowded() ? log(table) : nothing}`,
    rules: () => rules(table.about, () => table.refresh()),
    advice: () => panel(table),
    talk: () => sayings(table),
    review: () => table.replay?.reviewed.draw(table),
  };
  return html`<aside class="side ${table.panel}" aria-label=${t(table.panel)}>
    <header class="tabs">
      <button aria-pressed=${table.panel === "log"} @click=${choose("log")}>${t("log")}</button>
      <button aria-pressed=${table.panel === "rules"} @click=${choose("rules")}>${t("rules")}</button>
      ${
        offered(table)
          ? html`<button aria-pressed=${table.panel === "advice"} @click=${choose("advice")}>${t("advice")}</button>`
          : nothing
      }
      ${
        talks(table)
          ? html`<button aria-pressed=${table.panel === "talk"} @click=${choose("talk")}>${label(table)}</button>`
          : nothing
      }
      ${
        reviewed
          ? html`<button aria-pressed=${table.panel === "review"}
              @click=${choose("review")}>${t("replay-review")}</button>`
          : nothing
      }
      <button class="icon-button only-drawer" aria-label=${t("close")} @click=${() => {
        table.panelOpen = false;
        table.refresh();
      }}>${mark("close")}</button>
    </header>
    <div class="scroll" tabindex="0" role="region" aria-label=${t(table.panel)}>
      ${drawn[table.panel]()}</div>
    ${table.panel === "talk" ? voice(table) : nothing}
  </aside>`;
}

/** The way to what happened since, while a game is played. @param {Table} table */
const since = (table) =>
  table.canLookBack && !table.guide
    ? html`<button class="button quiet small since" title=${titled(t("replay-since"), "v")}
        @click=${() => table.recall()}>${mark("before")} ${t("replay-since")}</button>`
    : nothing;

/** @param {Table} table @param {number} seat */
function curtain(table, seat) {
  return html`<main id="board" tabindex="-1" class="stage curtain"><div class="curtain-inner">
    ${table.ui.shield(seat, "big")}
    <h2>${t("hand-over", { name: table.ui.name(seat) })}</h2>
    <button class="button" autofocus @click=${() => table.lookFrom(seat)}>${t("i-am", {
      name: table.ui.name(seat),
    })}</button>
  </div></main>`;
}

/**
 * While something moves, a click anywhere on the board shows the end of it.
 * @param {Table} table @param {Event} event
 */
function skipByClick(table, event) {
  if (table.player.busy && /** @type {Element} */ (event.target).closest(".stage")) table.player.skip();
}

/**
 * Where the panel is a drawer a tap beside it closes it, and does nothing else.
 * @param {Table} table @param {Event} event
 */
function closeByTap(table, event) {
  if (!table.panelOpen || !crowded() || /** @type {Element} */ (event.target).closest(".side, .tools, .past")) return;
  event.stopPropagation();
  event.preventDefault();
  table.panelOpen = false;
  table.refresh();
}
