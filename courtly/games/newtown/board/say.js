/** What is said of the table: what to do now, the seats, the state in sentences, and how the game came out. */
import { html } from "lit";
import { landCardWords, residentWords, summary } from "./cards.js";
import { originalLines } from "./original.js";
import { percent, Position } from "./position.js";
import { houseWords, landWords } from "./town.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */

const BUILDING = ["build", "extend", "take_over"];

/** @param {View} view @param {Ui} ui */
export function prompt(view, ui) {
  const p = new Position(view, ui);
  if (!p.mine) return "";
  if (p.phase === "acting") return ui.t(p.ui.local.choosing ? "newtown-choose-card" : "newtown-prompt-acting");
  if (p.phase === "building" && !view.legal.some(({ verb }) => BUILDING.includes(verb)))
    return ui.t("newtown-prompt-building-none");
  if (p.phase === "bonus")
    return ui.t(`newtown-prompt-bonus-${p.reward(p.s.offered[ui.me ?? 0])}`, {
      at: p.box.track.squares[p.s.offered[ui.me ?? 0]],
    });
  if (p.phase === "welcoming")
    return p.s.welcome > 1
      ? ui.t("newtown-prompt-welcoming-from", { name: ui.name(p.s.welcome - 2) })
      : ui.t("newtown-prompt-welcoming");
  return ui.t(`newtown-prompt-${p.phase}`, p.phase === "settling" ? { land: p.lands[p.s.picked] } : {});
}

/** @param {View} view @param {number} n @param {Ui} ui */
export const seat = (view, n, ui) => summary(new Position(view, ui), n);

// --- in sentences ----------------------------------------------------------------------------------------------------

/** @param {View} view @param {Ui} ui @returns {{heading: string, lines: string[]}[]} */
export function plain(view, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  return [
    { heading: ui.t("newtown-round", { n: Math.max(s.round, 1) }), lines: diceLines(p) },
    ...(p.phase === "building" && p.mine ? [{ heading: ui.t("newtown-offers"), lines: offerLines(p) }] : []),
    ...(latestLines(p).length
      ? [{ heading: ui.t("newtown-latest", { house: p.landName(p.house(s.house).land) }), lines: latestLines(p) }]
      : []),
    ...p.seats.map((n) => ({ heading: ui.t("newtown-holdings", { name: ui.name(n) }), lines: seatLines(p, n) })),
    { heading: ui.t("newtown-market"), lines: marketLines(p) },
    { heading: ui.t("newtown-town"), lines: p.lands.map((_, land) => landWords(p, land)) },
    {
      heading: ui.t("newtown-neighbours"),
      lines: p.rows.map((row) => ui.list(row.flatMap((land) => (land === null ? [] : [p.landName(land)])))),
    },
  ];
}

/** @param {Position} p */
function diceLines(p) {
  const { ui, s } = p;
  const seat = p.seat;
  const lines = [];
  if (s.first >= 0) lines.push(ui.t("newtown-order", { names: ui.names(p.order) }));
  if (p.starters) lines.push(p.starters);
  if (p.facts.unlaid.length)
    lines.push(
      ui.labelled(ui.t("newtown-unlaid"), ui.list(p.facts.unlaid.map((/** @type {number} */ n) => p.landName(n)))),
    );
  if (seat < 0) return lines;
  if (s.white[seat].every(Boolean) && (s.craftsman[seat] >= 0 || p.phase === "aiming"))
    lines.push(ui.t("newtown-white-dice", { name: ui.name(seat), dice: s.white[seat].join(" "), n: p.facts.total }));
  if (p.phase !== "drafting") {
    for (const [i, colour] of p.colours.entries()) {
      if (s.coloured[seat][i])
        lines.push(
          ui.labelled(
            ui.t(`newtown-die-${colour}`),
            `${s.coloured[seat][i]}${s.used[seat][i] ? ui.t("newtown-used-mark") : ""}`,
          ),
        );
    }
  }
  if (p.phase === "laying")
    lines.push(
      ui.t("newtown-lay-help", { form: p.forms[s.plan], n: s.room }),
      ui.labelled(ui.t("newtown-laid"), p.facts.laying.laid.join(" ") || ui.t("newtown-none")),
    );
  const odds = p.rollOdds;
  if (odds)
    lines.push(
      ui.labelled(
        ui.t("newtown-odds"),
        ui.list(odds.flatMap((chance, land) => (chance ? [`${p.landName(land)} ${percent(chance)}`] : []))),
      ),
    );
  return [...lines, ...(p.original ? originalLines(p) : [])];
}

/** @param {Position} p */
const offerLines = (p) =>
  p.view.legal
    .filter(({ verb }) => BUILDING.includes(verb))
    .map((move) => {
      const { ui } = p;
      const found = p.offer(move);
      const house = p.housesOn(p.s.craftsman[p.seat])[ui.axes.which.indexOf(move.args.which)];
      const taken = move.verb === "take_over" ? [houseWords(p, house)] : [];
      const parts = ui.list(p.lines(found).map(([source, points]) => `${ui.t(`newtown-source-${source}`)} ${points}`));
      return ui.labelled(
        ui.parts([ui.order(move), ...taken]),
        `${ui.t("newtown-points", { n: found.sum })} (${parts})`,
      );
    });

/** What was built last, and what it brought. @param {Position} p */
function latestLines(p) {
  const { ui, s } = p;
  const card = s.handed ? [ui.parts(residentWords(p, p.residents[s.handed - 1]))] : [];
  const taken = s.taken_from
    ? [ui.t("newtown-taken", { name: ui.name(s.owner[s.house]), loser: ui.name(s.taken_from - 1) }), ...card]
    : [];
  return [
    ...(taken.length ? [ui.sentences(taken)] : []),
    ...p.gained.map(({ seat, source, points }) =>
      ui.labelled(ui.name(seat), `${ui.t(`newtown-source-${source}`)} ${ui.signed(points)}`),
    ),
  ];
}

/** @param {Position} p @param {number} seat */
function seatLines(p, seat) {
  const { ui, s } = p;
  const hand = p.hand(seat);
  return [
    ui.t("newtown-points", { n: s.score[seat] }),
    ui.labelled(ui.t("newtown-blocks"), hand.join(" ") || ui.t("newtown-none")),
    ui.labelled(ui.t("newtown-gems"), s.gems[seat]),
    ...p.feet.map((foot, i) => ui.t("newtown-roofs-left", { foot, n: s.roofs[seat][i] })),
    ...p.landCards(seat).map((card) => landCardWords(p, card)),
    ...p.guests(seat).map((name) => ui.parts(residentWords(p, name))),
  ];
}

/** @param {Position} p */
function marketLines(p) {
  const shown = (/** @type {number[]} */ row) => row.filter((card) => card >= 0);
  return [
    ...shown(p.s.land_row).map((card) => landCardWords(p, card)),
    ...shown(p.s.resident_row).map((card) => p.ui.parts(residentWords(p, p.residents[card]))),
  ];
}

// --- the end ---------------------------------------------------------------------------------------------------------

/** A final score. @param {View} view @param {number} n @param {Ui} ui */
export const score = (view, n, ui) => ui.t("newtown-points", { n: view.state.score[n] });

/** How each score came about, from the first house to the last gem. @param {View} view @param {Ui} ui */
export function outcome(view, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  const shown = p.sources
    .map((source, i) => ({ source, i }))
    .filter(({ source, i }) => p.atTheEnd.includes(source) || p.seats.some((n) => s.earned[n][i]));
  const row = (/** @type {string} */ source, /** @type {number} */ i) =>
    html`<tr><th scope="row">${ui.t(`newtown-source-${source}`)}</th>${p.seats.map(
      (n) => html`<td>${ui.signed(s.earned[n][i])}</td>`,
    )}</tr>`;
  return html`<div class="newtown-outcome"><table>
    <thead><tr><td></td>${p.seats.map(
      (n) => html`<th scope="col">${ui.shield(n, "tiny")} ${ui.name(n)}</th>`,
    )}</tr></thead>
    <tbody>${shown.filter(({ source }) => !p.atTheEnd.includes(source)).map(({ source, i }) => row(source, i))}
      <tr class="sum"><th scope="row">${ui.t("newtown-from-building")}</th>${p.seats.map(
        (n) => html`<td>${p.facts.from_building[n]}</td>`,
      )}</tr>
      ${shown.filter(({ source }) => p.atTheEnd.includes(source)).map(({ source, i }) => row(source, i))}
      <tr class="sum"><th scope="row">${ui.t("newtown-final")}</th>${p.seats.map(
        (n) => html`<td><b>${ui.number(s.score[n])}</b></td>`,
      )}</tr></tbody></table>
    <div class="columns">${p.seats.map(
      (n) =>
        html`<details open><summary>${ui.shield(n, "tiny")} ${ui.t("newtown-end-of", { name: ui.name(n) })}</summary>
        <ul>${endLines(p, n).map((line) => html`<li>${line}</li>`)}</ul></details>`,
    )}</div></div>`;
}

/** @param {Position} p @param {number} seat */
function endLines(p, seat) {
  const { ui, s } = p;
  const left = p.hand(seat).length;
  const lines = [left ? ui.t("newtown-end-blocks", { n: left }) : ui.t("newtown-end-no-blocks")];
  for (const card of p.landCards(seat))
    lines.push(ui.t("newtown-end-card", { land: p.lands[card], points: ui.signed(p.worth(card)) }));
  for (const name of p.guests(seat)) {
    const home = s.home[p.residents.indexOf(name)];
    const points = p.box.residents[name].points;
    lines.push(
      home >= 0
        ? ui.t("newtown-end-housed", { resident: name, land: p.lands[home >> 1], points })
        : ui.t("newtown-end-unhoused", { resident: name, points }),
    );
    const gift = s.gift[p.axis("gift").indexOf(name)];
    if (gift) lines.push(ui.t("newtown-end-gift", { resident: name, points: ui.signed(gift) }));
  }
  if (s.gems[seat]) lines.push(ui.t("newtown-end-gems", { n: s.gems[seat] }));
  return lines;
}
