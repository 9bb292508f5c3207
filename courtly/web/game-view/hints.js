/**
 * Help at the table, where all who play have said yes to it: who is likely to win, as a thin line in the players'
 * colours, and on request what is good to do, shown on the board. Nothing here makes a move.
 */
import { html, nothing } from "lit";
import { note, said } from "../components/dialogs.js";
import { mark } from "../board-sdk/ui-icons.js";
import { ask } from "../core/http-client.js";
import { choice } from "../components/preferences-panel.js";
import { crowded, phone } from "../core/user-settings.js";
import { showPanel, titled } from "./shortcuts.js";
import { list, sentences, signed, t } from "../core/i18n.js";

/**
 * @typedef {import("./game-view.js").Table} Table @typedef {import("../core/api-types.js").Move} Move
 * @typedef {import("../core/api-types.js").Hint} Hint @typedef {import("../core/api-types.js").Advice} Told
 */

const REST = 600; // ms that a view has to stand before the chances in it are asked for
const AGAIN = 4000; // ms until they are asked for once more, where there was no answer

const HINDERED = { missing: "error-no-machine-code" };

/** Is there help for whoever looks, or will there be? @param {Table} table */
export const offered = ({ info, mine }) => info.help !== "off" && mine.length > 0 && info.status === "playing";

/** Is it the squire's move, of which no chance is known? @param {Hint[] | null} hints */
const isSquires = (hints) => hints?.[0]?.wins === null;

export class Advice {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {{seat: number | null, wins: number[], margin: number, counted: boolean} | null} */
    this.odds = null;
    this.seen = ""; // which view was looked at last
    this.busy = false; // are the chances asked for just now?
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {{of: string, told: Hint[] | null, wrong: any} | null} what was asked about a decision, and its answer */
    this.asked = null;
    this.chosen = -1; // which of the hints is kept in sight on the board
    this.looked = -1; // which one is looked at
  }

  /** Why there is none, as a message; "": there is. */
  get missing() {
    return { off: "error-no-help", on: "", ...HINDERED }[this.table.info.help];
  }

  /** What the view is known by; "": nobody may be helped with it. */
  get #view() {
    const { view, info, handTo, replaced } = this.table;
    if (info.help !== "on" || !view || view.seat === null || view.over || handTo !== null || replaced) return "";
    return `${view.seat} ${view.seq}`;
  }

  /** The hints for the decision that stands. */
  get hints() {
    return this.asked?.of === this.#view ? this.asked : null;
  }

  /** Something was drawn. */
  look() {
    const view = this.#view;
    if (view !== this.seen) {
      this.seen = view;
      this.chosen = this.looked = -1;
      if (!view || this.odds?.seat !== this.table.view?.seat) this.odds = null;
      this.#later(REST);
    }
    this.#point();
  }

  /** @param {number} ms */
  #later(ms) {
    clearTimeout(this.timer);
    if (this.seen) this.timer = setTimeout(() => this.#wonder(), ms);
  }

  /** The chances in the view that stands; one question at a time. */
  async #wonder() {
    if (this.busy || document.hidden) return this.#later(AGAIN);
    const of = this.seen;
    this.busy = true;
    try {
      this.#hear(await this.#question(false));
      if (!this.odds && this.seen === of) this.#later(AGAIN);
    } catch {
      if (this.seen === of) this.#later(AGAIN);
    }
    this.busy = false;
    if (this.seen !== of) this.#later(REST);
    this.table.refresh();
  }

  /** @param {boolean} hints @returns {Promise<Told>} */
  #question(hints) {
    const { info, view } = this.table;
    return ask("POST", `/api/tables/${info.id}/advise`, { seat: view?.seat, seq: view?.seq, hints });
  }

  /** @param {Told} told */
  #hear({ wins, margin, counted }) {
    this.odds = !wins.length ? null : { seat: this.table.view?.seat ?? null, wins, margin, counted };
  }

  /** What would be good to do now? */
  async ask() {
    const of = this.#view;
    if (!of || !this.table.view?.legal.length || (this.hints && !this.hints.wrong && !isSquires(this.hints.told)))
      return;
    const asked = { of, told: /** @type {Hint[] | null} */ (null), wrong: /** @type {any} */ (null) };
    this.asked = asked;
    this.table.refresh();
    try {
      const told = await this.#question(true);
      asked.told = told.hints;
      if (this.#view === of) this.#hear(told);
    } catch (error) {
      asked.wrong = error;
    }
    this.table.refresh();
  }

  /** @param {number} number -1: none */
  lookAt(number) {
    if (this.looked === number) return;
    this.looked = number;
    this.table.refresh();
  }

  /**
   * One of them stays marked, until another is chosen or the decision is another.
   * @param {number} number @param {boolean} keyboard
   */
  choose(number, keyboard) {
    const { table } = this;
    this.chosen = this.chosen === number ? -1 : number;
    this.looked = -1;
    if (crowded()) table.panelOpen = false;
    this.#point();
    const thing = table.host.querySelector("[data-hinted]");
    thing?.scrollIntoView({ block: phone() ? "center" : "nearest", inline: "nearest" });
    if (keyboard && this.chosen >= 0) /** @type {HTMLElement | null} */ (thing)?.focus({ preventScroll: true });
    table.refresh();
  }

  /** What the hint is about is marked, wherever it is drawn. */
  #point() {
    const { host } = this.table;
    const move = this.hints?.told?.[this.looked < 0 ? this.chosen : this.looked]?.move;
    const now = new Set(move ? things(this.table, move) : this.table.guide?.marked);
    for (const before of host.querySelectorAll("[data-hinted]")) {
      if (!now.has(before)) before.removeAttribute("data-hinted");
    }
    for (const thing of now) thing.setAttribute("data-hinted", "");
  }
}

/**
 * The things that a move is about: what the board says, the buttons that say it, and the players it names.
 * @param {Table} table @param {Move} move @returns {Element[]}
 */
export function things({ plain, board, ui, host, about }, move) {
  if (plain) return [...host.querySelectorAll(`.move[data-move="${move.id}"]`)];
  const of = host.querySelector("#board > .board");
  if (!of || !ui.view) return [];
  const words = ui.order(move);
  const said = (/** @type {Element} */ thing) => (thing.getAttribute("aria-label") ?? thing.textContent ?? "").trim();
  const exact = [...of.querySelectorAll("button, [role=button]")].filter((thing) => said(thing) === words);
  const choices = exact.length || !board.choices ? [] : [...of.querySelectorAll(board.choices)];
  const named = board.about?.(move, ui.view, ui) ?? "";
  const players = Object.entries(about.moves[move.verb].args)
    .filter(([, kind]) => kind.seat)
    .map(([name]) => `[data-key="seat-${move.args[name]}"]`);
  return [
    ...exact,
    ...choices.filter((thing) => said(thing).includes(words)),
    ...(named ? of.querySelectorAll(named) : []),
    ...(players.length ? host.querySelectorAll(players.join()) : []),
  ];
}

// --- drawn -----------------------------------------------------------------------------------------------------------

/** @param {number} share in thousandths */
const percent = (share) => t("help-percent", { percent: Math.round(share / 10) });

/** @param {Table} table @param {number[]} wins */
const spoken = ({ ui }, wins) => list(wins.map((share, seat) => ui.labelled(ui.name(seat), percent(share))));

/** How likely each player is to win: a line, and the figures for who asks. @param {Table} table */
export function odds(table) {
  const { odds } = table.advice;
  if (!odds || odds.seat !== table.view?.seat || table.view?.over) return nothing;
  return html`<div class="odds" role="img" tabindex="0" aria-label=${t("help-odds", {
    odds: spoken(table, odds.wins),
  })}>${odds.wins.map((share, seat) => html`<i class="seat-${seat}" .style=${`--share: ${share}`}></i>`)}
    <div class="figures"><b>${t("help-odds-title")}</b>${figures(table, odds.wins)}</div></div>`;
}

/** @param {Table} table @param {number[]} wins */
const figures = ({ ui }, wins) =>
  html`<ul>${wins.map(
    (share, seat) => html`<li>${ui.shield(seat, "tiny")}<span class="name">${ui.name(seat)}</span>
    <b>${percent(share)}</b></li>`,
  )}</ul>`;

/** The button in the bar, where there is help at this table. @param {Table} table */
export function tool(table) {
  const { view, panel, panelOpen, advice } = table;
  if (!offered(table)) return nothing;
  const why = advice.missing || (view?.legal.length && !table.replaced ? "" : "help-not-yours");
  const shown = panel === "advice" && (panelOpen || !crowded());
  return html`<button class="icon-button" aria-expanded=${shown} aria-disabled=${why !== ""}
      title=${titled(t(why || "help-ask"), "h")}
      @click=${() => wish(table)}>${mark("hint")}<span>${t("advice")}</span></button>`;
}

/** Ask for help, or put it away. @param {Table} table */
export function wish(table) {
  const { advice } = table;
  if (!offered(table)) return;
  if (advice.missing) return note(t(advice.missing));
  const shown = table.panel === "advice" && (table.panelOpen || !crowded());
  if (shown && (advice.hints || !table.view?.legal.length)) {
    if (crowded()) table.panelOpen = false;
    else table.panel = "log";
    return table.refresh();
  }
  if (!shown) showPanel(table, "advice");
  advice.ask();
}

/** What is good to do, with what is to be said for it. @param {Table} table */
export function panel(table) {
  const { advice, view } = table;
  if (advice.missing) return html`<p class="quiet">${t(advice.missing)}</p>`;
  const { hints } = advice;
  return html`<div class="hints">
    <section aria-labelledby="hints-heading"><h2 id="hints-heading">${t("help-ask")}</h2>
    <div role="status">${
      !view?.legal.length || view.over || table.replaced
        ? html`<p class="quiet">${t("help-not-yours")}</p>`
        : hints && !hints.told && !hints.wrong
          ? html`<p class="quiet">${t("help-thinking")}</p>`
          : hints?.wrong
            ? html`<p>${said(hints.wrong)}</p>`
            : nothing
    }${hints?.told ? best(table, hints.told) : nothing}</div>
    ${
      view?.legal.length && !view.over && !table.replaced && (!hints || hints.wrong || isSquires(hints.told))
        ? html`<button class="button" @click=${() => advice.ask()}>${t("help-ask")}</button>`
        : nothing
    }</section>
    ${
      advice.odds && view && !view.over
        ? html`<section aria-labelledby="odds-heading"><h3 id="odds-heading">${t("help-odds-title")}</h3>
          <div class="figures">${figures(table, advice.odds.wins)}</div>
          <p class="quiet">${t(advice.odds.counted ? "help-odds-how" : "help-odds-estimated", {
            margin: Math.ceil(advice.odds.margin / 10),
          })}</p></section>`
        : nothing
    }</div>`;
}

/** @param {Table} table @param {Hint[]} told */
function best(table, told) {
  if (!told.length) return html`<p>${t("help-only")}</p>`;
  const { advice, ui } = table;
  const [first, second] = told;
  const close = second && Number(first.wins) - Number(second.wins) <= Math.hypot(first.margin, second.margin);
  return html`<ol class="advised">${told.map(
    (hint, i) => html`<li><button aria-pressed=${advice.chosen === i}
        @pointerenter=${(/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && advice.lookAt(i)}
        @pointerleave=${(/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && advice.lookAt(-1)}
        @focus=${(/** @type {FocusEvent} */ event) =>
          /** @type {Element} */ (event.target).matches(":focus-visible") && advice.lookAt(i)}
        @blur=${() => advice.lookAt(-1)}
        @click=${(/** @type {MouseEvent} */ event) => advice.choose(i, event.detail === 0)}>
      <b>${ui.order(hint.move)}</b>
      <span>${
        hint.wins === null
          ? t("help-squires")
          : t("help-chance", { percent: Math.round(hint.wins / 10), margin: Math.ceil(hint.margin / 10) })
      }</span>
      ${hint.reasons.map((why) => html`<small>${reason(table, why)}</small>`)}
    </button></li>`,
  )}</ol>
  ${close ? html`<p>${t("help-close")}</p>` : nothing}
  <p class="quiet">${t("help-choose")}</p>`;
}

/** @param {Table} table @param {import("../core/api-types.js").Reason} why */
function reason({ ui, about }, { id, args }) {
  const sign = id === "help-at-once";
  const counted = (/** @type {{name: string, n: number}} */ { name, n }) =>
    t(`${about.id}-counted-${name}`, { n: sign ? signed(n) : n, many: Math.abs(n) });
  return t(id, {
    ...args,
    ...(args.counted ? { counted: list(args.counted.map(counted)) } : {}),
    ...("low" in args
      ? { low: counted({ name: args.name, n: args.low }), high: counted({ name: args.name, n: args.high }) }
      : {}),
    ...("seat" in args ? { name: ui.name(args.seat) } : {}),
  });
}

/**
 * Who has said yes to help, and what I say. Alone there is nobody to ask. A stand-in keeps its player's answer.
 * @param {Table} table
 */
export function agreement(table) {
  const { info, mine, ui, about } = table;
  if (!mine.length || info.status === "over") return nothing;
  const people = info.seats.filter(({ kind }) => kind === "person" || kind === "local");
  const others = people.some((seat) => !seat.you);
  const agreed = people.filter((seat) => seat.help).map((seat) => seat.seat);
  return html`<div class="agreement">${choice(
    t("help-at-table"),
    [
      ["yes", t("help-yes")],
      ["no", t("help-no")],
    ],
    mine.every((seat) => seat.help) ? "yes" : "no",
    (yes) => table.tell("help", { yes: yes === "yes" }),
  )}${
    !about.help
      ? html`<p class="quiet">${t("error-no-machine-code")}</p>`
      : others
        ? html`<p class="quiet">${sentences([
            t("help-all"),
            t("help-agreed", { count: agreed.length, names: ui.names(agreed) }),
          ])}</p>`
        : nothing
  }</div>`;
}
