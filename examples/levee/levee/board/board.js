import { html, nothing } from "lit";
import { renderDie, renderStaticDie } from "../../../web/board-sdk/die.js";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderHonour } from "./honours.js";

const range = (n) => Array.from({ length: n }, (_, i) => i);

export function board(view, ui) {
  return html`<div class="levee">
    ${view.pending.length ? renderOffer(view, ui) : nothing}
    ${view.pending.length && ui.me !== null ? renderOwn(view, ui) : nothing}
    <div class="court">${range(view.state.players).map((n) => renderCourtier(view, ui, n))}</div>
  </div>`;
}

/** Return the names of the honours in a row of counts. */
const listHonours = (ui, row) => row.flatMap((n, honour) => (n ? [ui.values.honour[honour]] : []));

/** Render an honour with its number. Its key is the same everywhere, so that it is animated to the winner. */
const renderCard = (ui, name, extra = "") => html`<div class="honour ${extra}" data-key="honour-${name}">
  ${renderHonour(name)}<b>${ui.values.honour.indexOf(name) + 1}</b><span>${ui.t(`levee-honour-${name}`)}</span>
</div>`;

function renderOffer(view, ui) {
  const now = listHonours(ui, view.state.stake);
  const later = listHonours(ui, view.state.chest);
  return html`<section class="offer">
    <h2>${ui.t("levee-offered")}</h2>
    <div class="row">
      ${now.map((name) => renderCard(ui, name))} ${
        now.length
          ? nothing
          : html`<p
        class="quiet">${ui.t("levee-between")}</p>`
      }
    </div>
    ${later.length ? renderChest(ui, later) : nothing}
  </section>`;
}

const renderChest = (ui, later) => html`<div class="chest">
  <h3>${ui.t("levee-still")}</h3>
  <div class="row">${later.map((name) => renderCard(ui, name, "small"))}</div>
</div>`;

/** Render a player: dice behind the screen, the last bid shown, the honours won. */
function renderCourtier(view, ui, n) {
  const { count, won } = view.state;
  return html`<section class="seat-${n}">
    <h2>${ui.renderShield(n)} ${ui.formatLabelled(ui.playerName(n), view.facts.worth[n])}</h2>
    <div class="screen" data-key="screen-${n}">
      ${range(count[n]).map(() => html`<i></i>`)}${hideVisually(ui.formatLabelled(ui.t("levee-screen"), count[n]))}
    </div>
    ${renderBid(view, ui, n)}
    <div class="row">${listHonours(ui, won[n]).map((name) => renderCard(ui, name, "small"))}</div>
  </section>`;
}

/** Render the last bid shown: its dice, their total, and the result. */
function renderBid(view, ui, n) {
  const { number, pips, winner } = view.state;
  const total = view.facts.totals[n];
  if (total === null) return nothing;
  if (!total) return html`<p class="bid quiet">${ui.t("levee-no-bid")}</p>`;
  const fate = winner === n ? "wins" : view.facts.equalled.includes(n) ? "equalled" : null;
  return html`<p class="bid ${fate ?? ""}">
    ${range(number[n]).map((i) => html`<span data-key="bid-${n}-${i}">${renderStaticDie(pips[n], "small")}</span>`)}
    <b>${total}</b> ${fate ? html`<em>${ui.t(`levee-${fate}`)}</em>` : nothing}
  </p>`;
}

function renderOwn(view, ui) {
  const mine = view.state.behind[ui.me];
  const bidden = view.state.bid[ui.me] > 0;
  const decline = ui.legalMoves("decline");
  const now = decline.length > 0;
  return html`<section class="own">
    <h2>${ui.t(now ? "levee-yours" : bidden ? "levee-your-bid" : "levee-you-decline")}</h2>
    <div class="row">${mine.map((n, index) => (n ? renderDice(view, ui, index, n) : nothing))}
      ${view.state.count[ui.me] ? nothing : html`<p class="quiet">${ui.t("levee-none")}</p>`}
    </div>
    <div class="row">${decline.map((move) => renderDecline(ui, move))}</div>
    ${now && view.state.count[ui.me] ? html`<p class="how quiet">${ui.t("levee-how")}</p>` : nothing}
  </section>`;
}

const renderDecline = (ui, move) =>
  html`<button class="button quiet" @click=${() => ui.play(move)}>${ui.moveText(move)}</button>`;

/** Render the player's dice of a face. A click on one bids it and those before it. */
function renderDice(view, ui, index, n) {
  const face = index + 1;
  const bidden = view.state.bid_face[ui.me] === index ? view.state.bid[ui.me] : 0;
  return html`<div class="heap">
    ${range(n).map((i) => {
      const [move] = ui.legalMoves("bid", { face, number: i + 1 });
      const content = html`<span data-key="die-${face}-${i}">${renderDie(face, i < bidden ? "kept" : "")}</span>
        <b>${face * (i + 1)}</b>`;
      return move
        ? html`<button aria-label=${ui.formatLabelled(ui.moveText(move), face * (i + 1))}
            @click=${() => ui.play(move)}>${content}</button>`
        : html`<div class=${i < bidden ? "bidden" : ""}>${content}</div>`;
    })}
  </div>`;
}

export const seat = (view, n, ui) => ui.formatLabelled(ui.t("levee-dice"), view.state.count[n]);

export function prompt(view, ui) {
  if (!view.pending.length) return ui.t("levee-over");
  return view.pending.includes(ui.me)
    ? ui.t("levee-bid-now")
    : ui.t("levee-waiting", { names: ui.playerNames(view.pending) });
}

export const cues = {
  offer: ({ args }, kit) => kit.fadeIn(`honour-${args.honour}`),
  roll: ({ args }, kit) =>
    args.face && kit.roll(`die-${args.face}-${kit.view.state.behind[kit.view.seat][args.face - 1] - 1}`),
  show: ({ args }, kit) => {
    for (const i of range(args.number)) kit.moveFrom(`bid-${args.player}-${i}`, `screen-${args.player}`);
  },
  grant: ({ args }, kit) => kit.highlight(`seat-${args.player}`),
};

/** Rolls are visible on the table. In the log they would appear beside the result of a bid. */
export const glyphs = { roll: () => nothing };

export const choices = ".own button";
