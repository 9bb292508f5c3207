/** The texts of the game: what to do now, the seats, the state in sentences, and the outcome. */
import { html } from "lit";
import { landCardText, residentTexts, renderSummary } from "./cards.js";
import { describeOriginal } from "./original.js";
import { listBlockSizes } from "./packing.js";
import { formatPercent, Position } from "./position.js";
import { houseText, landText } from "./town.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

const BUILD_VERBS = ["build", "extend", "take_over"];

/** @param {View} view @param {BoardContext} ui */
export function prompt(view, ui) {
  const p = new Position(view, ui);
  if (!p.canAct) return "";
  if (p.phase === "acting") return ui.t(p.ui.local.choosing ? "newtown-choose-card" : "newtown-prompt-acting");
  if (p.phase === "building" && !view.legal.some(({ verb }) => BUILD_VERBS.includes(verb)))
    return ui.t("newtown-prompt-building-none");
  if (p.phase === "bonus")
    return ui.t(`newtown-prompt-bonus-${p.trackReward(p.state.offered[ui.me ?? 0])}`, {
      at: p.box.track.squares[p.state.offered[ui.me ?? 0]],
    });
  if (p.phase === "welcoming")
    return p.state.welcome > 1
      ? ui.t("newtown-prompt-welcoming-from", { name: ui.playerName(p.state.welcome - 2) })
      : ui.t("newtown-prompt-welcoming");
  return ui.t(`newtown-prompt-${p.phase}`, p.phase === "settling" ? { land: p.lands[p.state.picked] } : {});
}

/** @param {View} view @param {number} n @param {BoardContext} ui */
export const seat = (view, n, ui) => renderSummary(new Position(view, ui), n);

// --- plain rendering -------------------------------------------------------------------------------------------------

/** @param {View} view @param {BoardContext} ui @returns {{heading: string, lines: string[]}[]} */
export function plain(view, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  return [
    { heading: ui.t("newtown-round", { n: Math.max(state.round, 1) }), lines: describeDice(p) },
    ...(p.phase === "building" && p.canAct ? [{ heading: ui.t("newtown-offers"), lines: describeOffers(p) }] : []),
    ...(describeLatest(p).length
      ? [
          {
            heading: ui.t("newtown-latest", { house: p.landName(p.house(state.house).land) }),
            lines: describeLatest(p),
          },
        ]
      : []),
    ...p.seats.map((n) => ({
      heading: ui.t("newtown-holdings", { name: ui.playerName(n) }),
      lines: describeSeat(p, n),
    })),
    { heading: ui.t("newtown-market"), lines: describeMarket(p) },
    { heading: ui.t("newtown-town"), lines: p.lands.map((_, land) => landText(p, land)) },
    {
      heading: ui.t("newtown-neighbours"),
      lines: p.rows.map((row) => ui.formatList(row.flatMap((land) => (land === null ? [] : [p.landName(land)])))),
    },
  ];
}

/** @param {Position} p */
function describeDice(p) {
  const { ui, state } = p;
  const seat = p.seat;
  const lines = [];
  if (state.first >= 0) lines.push(ui.t("newtown-order", { names: ui.playerNames(p.order) }));
  if (p.startersText) lines.push(p.startersText);
  if (p.facts.unlaid.length)
    lines.push(
      ui.formatLabelled(
        ui.t("newtown-unlaid"),
        ui.formatList(p.facts.unlaid.map((/** @type {number} */ n) => p.landName(n))),
      ),
    );
  if (seat < 0) return lines;
  if (state.white[seat].every(Boolean) && (state.craftsman[seat] >= 0 || p.phase === "aiming"))
    lines.push(
      ui.t("newtown-white-dice", { name: ui.playerName(seat), dice: state.white[seat].join(" "), n: p.facts.total }),
    );
  if (p.phase !== "drafting") {
    for (const [i, colour] of p.colours.entries()) {
      if (state.coloured[seat][i])
        lines.push(
          ui.formatLabelled(
            ui.t(`newtown-die-${colour}`),
            `${state.coloured[seat][i]}${state.used[seat][i] ? ui.t("newtown-used-mark") : ""}`,
          ),
        );
    }
  }
  if (p.phase === "laying")
    lines.push(
      ui.t("newtown-lay-help", { form: p.forms[state.plan], n: state.room }),
      ui.formatLabelled(ui.t("newtown-laid"), listBlockSizes(p.facts.laying.laid).join(" ") || ui.t("newtown-none")),
    );
  const odds = p.rollPercents;
  if (odds)
    lines.push(
      ui.formatLabelled(
        ui.t("newtown-odds"),
        ui.formatList(odds.flatMap((chance, land) => (chance ? [`${p.landName(land)} ${formatPercent(chance)}`] : []))),
      ),
    );
  return [...lines, ...(p.isOriginal ? describeOriginal(p) : [])];
}

/** @param {Position} p */
const describeOffers = (p) =>
  p.view.legal
    .filter(({ verb }) => BUILD_VERBS.includes(verb))
    .map((move) => {
      const { ui } = p;
      const found = p.findOffer(move);
      const house = p.housesOn(p.state.craftsman[p.seat])[ui.values.which.indexOf(move.args.which)];
      const taken = move.verb === "take_over" ? [houseText(p, house)] : [];
      const parts = ui.formatList(
        p.pointLines(found).map(([source, points]) => `${ui.t(`newtown-source-${source}`)} ${points}`),
      );
      return ui.formatLabelled(
        ui.joinParts([ui.moveText(move), ...taken]),
        `${ui.t("newtown-points", { n: found.sum })} (${parts})`,
      );
    });

/** Return sentences on the latest building and what it brought. @param {Position} p */
function describeLatest(p) {
  const { ui, state } = p;
  const card = state.handed ? [ui.joinParts(residentTexts(p, p.residents[state.handed - 1]))] : [];
  const taken = state.taken_from
    ? [
        ui.t("newtown-taken", {
          name: ui.playerName(state.owner[state.house]),
          loser: ui.playerName(state.taken_from - 1),
        }),
        ...card,
      ]
    : [];
  return [
    ...(taken.length ? [ui.joinSentences(taken)] : []),
    ...p.latestGains.map(({ seat, source, points }) =>
      ui.formatLabelled(ui.playerName(seat), `${ui.t(`newtown-source-${source}`)} ${ui.formatSigned(points)}`),
    ),
  ];
}

/** @param {Position} p @param {number} seat */
function describeSeat(p, seat) {
  const { ui, state } = p;
  const hand = p.hand(seat);
  return [
    ui.t("newtown-points", { n: state.score[seat] }),
    ui.formatLabelled(ui.t("newtown-blocks"), hand.join(" ") || ui.t("newtown-none")),
    ui.formatLabelled(ui.t("newtown-gems"), state.gems[seat]),
    ...p.footprints.map((foot, i) => ui.t("newtown-roofs-left", { foot, n: state.roofs[seat][i] })),
    ...p.landCards(seat).map((card) => landCardText(p, card)),
    ...p.residentsOf(seat).map((name) => ui.joinParts(residentTexts(p, name))),
  ];
}

/** @param {Position} p */
function describeMarket(p) {
  const shown = (/** @type {number[]} */ row) => row.filter((card) => card >= 0);
  return [
    ...shown(p.state.land_row).map((card) => landCardText(p, card)),
    ...shown(p.state.resident_row).map((card) => p.ui.joinParts(residentTexts(p, p.residents[card]))),
  ];
}

// --- the end ---------------------------------------------------------------------------------------------------------

/** Return a final score as text. @param {View} view @param {number} n @param {BoardContext} ui */
export const score = (view, n, ui) => ui.t("newtown-points", { n: view.state.score[n] });

/**
 * Render how each score was reached, from the first house to the last gem.
 * @param {View} view @param {BoardContext} ui
 */
export function outcome(view, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  const shown = p.sources
    .map((source, i) => ({ source, i }))
    .filter(({ source, i }) => p.endSources.includes(source) || p.seats.some((n) => state.earned[n][i]));
  const row = (/** @type {string} */ source, /** @type {number} */ i) =>
    html`<tr><th scope="row">${ui.t(`newtown-source-${source}`)}</th>${p.seats.map(
      (n) => html`<td>${ui.formatSigned(state.earned[n][i])}</td>`,
    )}</tr>`;
  return html`<div class="newtown-outcome"><table>
    <thead><tr><td></td>${p.seats.map(
      (n) => html`<th scope="col">${ui.renderShield(n, "tiny")} ${ui.playerName(n)}</th>`,
    )}</tr></thead>
    <tbody>${shown.filter(({ source }) => !p.endSources.includes(source)).map(({ source, i }) => row(source, i))}
      <tr class="sum"><th scope="row">${ui.t("newtown-from-building")}</th>${p.seats.map(
        (n) => html`<td>${p.facts.from_building[n]}</td>`,
      )}</tr>
      ${shown.filter(({ source }) => p.endSources.includes(source)).map(({ source, i }) => row(source, i))}
      <tr class="sum"><th scope="row">${ui.t("newtown-final")}</th>${p.seats.map(
        (n) => html`<td><b>${ui.formatNumber(state.score[n])}</b></td>`,
      )}</tr></tbody></table>
    <div class="columns">${p.seats.map(
      (n) =>
        html`<details open><summary>${ui.renderShield(n, "tiny")} ${ui.t("newtown-end-of", {
          name: ui.playerName(n),
        })}</summary>
        <ul>${describeEnd(p, n).map((line) => html`<li>${line}</li>`)}</ul></details>`,
    )}</div></div>`;
}

/** @param {Position} p @param {number} seat */
function describeEnd(p, seat) {
  const { ui, state } = p;
  const left = p.hand(seat).length;
  const lines = [left ? ui.t("newtown-end-blocks", { n: left }) : ui.t("newtown-end-no-blocks")];
  for (const card of p.landCards(seat))
    lines.push(ui.t("newtown-end-card", { land: p.lands[card], points: ui.formatSigned(p.landCardPoints(card)) }));
  for (const name of p.residentsOf(seat)) {
    const home = state.home[p.residents.indexOf(name)];
    const points = p.box.residents[name].points;
    lines.push(
      home >= 0
        ? ui.t("newtown-end-housed", { resident: name, land: p.lands[home >> 1], points })
        : ui.t("newtown-end-unhoused", { resident: name, points }),
    );
    const gift = state.gift[p.axisNames("gift").indexOf(name)];
    if (gift) lines.push(ui.t("newtown-end-gift", { resident: name, points: ui.formatSigned(gift) }));
  }
  if (state.gems[seat]) lines.push(ui.t("newtown-end-gems", { n: state.gems[seat] }));
  return lines;
}
