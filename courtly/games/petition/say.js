/** What is said of the table: what to do now, the seats, the state in sentences, and how the game came out. */
import { html, nothing } from "lit";
import { die } from "../../web/dice.js";
import { how, names, standing } from "./court.js";
import { choosing } from "./felt.js";
import { bestGroup, faces, Position } from "./position.js";

/** @typedef {import("../../web/types.js").View} View @typedef {import("../../web/ui.js").Ui} Ui */

// --- what to do now ---------------------------------------------------------------------------------------------------------------

/** @param {View} view @param {Ui} ui */
export function prompt(view, ui) {
  const p = new Position(view, ui), { power, picked, offers, chosen } = choosing(p), left = faces(p.s.active).length;
  if (!p.mine) return "";
  if (p.phase === "turning") return ui.t("petition-prompt-alchemist-turn", { sum: faces(p.s.taken).reduce((a, b) => a + b, 0) });
  if (power === "philosopher") return ui.t(`petition-prompt-philosopher-${["giver", "receiver", "pips"][picked.length]}`);
  if (power) return ui.t(offers.length > 1 && !chosen && power !== "queen" ? "petition-choose" : `petition-prompt-${power}`);
  if (p.phase === "before") return ui.t(p.final ? "petition-prompt-before-last" : "petition-prompt-before");
  if (p.phase === "claiming") return ui.t(ui.can("claim").length ? "petition-prompt-claim" : "petition-prompt-claim-nothing");
  if (!left) return ui.t("petition-prompt-finish");
  return view.legal.some(({ verb }) => verb === "roll") ? ui.t("petition-prompt-roll-or-keep", { n: left }) : ui.t("petition-prompt-keep");
}

// --- the seats --------------------------------------------------------------------------------------------------------------------

/** @param {View} view @param {number} n @param {Ui} ui */
export function seat(view, n, ui) {
  const p = new Position(view, ui), { s } = p, own = p.court(n), dice = p.startDice(n);
  const badges = [s.start === n && !p.over && "start", s.king === n && "king", s.queen === n && "queen"].filter(Boolean);
  return html`<span class="petition-seat"><span class="start-dice" title=${ui.t("petition-seat-dice", { n: dice })}>${die(0, "small")}<span aria-hidden="true">${dice}</span>
      <span class="unseen">${ui.t("petition-seat-dice", { n: dice })}</span></span>
    ${badges.map((badge) => html`<span class="badge">${ui.t(`petition-seat-${badge}`)}</span>`)}
    ${p.crowned && p.final && !p.over ? html`<span class="badge">${standing(p, n)}</span>` : nothing}
    <span class="cards-count">${ui.t("petition-seat-cards", { n: own.reduce((sum, card) => sum + p.owns(n, card), 0) })}</span>
    <span class="cards-names">${cardNames(p, n)}</span></span>`;
}

/** @param {Position} p @param {number} seat */
function cardNames(p, seat) {
  const { ui } = p;
  return p.court(seat).map((card) => ui.t(`petition-card-${card}`) + (p.owns(seat, card) > 1 ? ` ${ui.t("petition-times", { n: p.owns(seat, card) })}` : "")).join(ui.t("list-comma"))
    || ui.t("petition-court-empty");
}

// --- in sentences -----------------------------------------------------------------------------------------------------------------

/** @param {View} view @param {Ui} ui @returns {{heading: string, lines: string[]}[]} */
export function plain(view, ui) {
  const p = new Position(view, ui);
  return [{ heading: ui.t("petition-dice"), lines: diceLines(p) },
    ...(p.crowned ? [{ heading: ui.t("petition-last-round"), lines: lastLines(p) }] : []),
    ...p.seats.map((seat) => ({ heading: ui.t("petition-court-of", { name: ui.name(seat) }), lines: seatLines(p, seat) })),
    { heading: ui.t("petition-court"), lines: p.cards.map((card) => cardLine(p, card)) }];
}

/** @param {Position} p */
function diceLines(p) {
  const { ui, s } = p, list = (/** @type {number[]} */ row) => faces(row).join(" ") || ui.t("petition-none");
  const round = p.final ? ui.t("petition-last-round") : s.round_limit ? ui.t("petition-round-of", { n: s.round, limit: s.round_limit }) : ui.t("petition-round", { n: s.round });
  const lines = [round, `${ui.t("petition-start-player")}: ${s.start >= 0 ? ui.name(s.start) : ""}`];
  if (s.round_limit && !p.crowned) lines.push(ui.t("petition-banner-limit", { limit: s.round_limit }));
  if (p.seat < 0) return lines;
  if (s.rolling) lines.push(ui.t("petition-rolling", { n: s.rolling }));
  lines.push(`${ui.t("petition-active")}: ${list(s.active)}`, `${ui.t("petition-aside")}: ${list(s.aside)}`);
  if (faces(s.taken).length) lines.push(`${ui.t("petition-taken")}: ${list(s.taken)}`);
  if (faces(p.dice).length) lines.push(ui.t("petition-sum", { n: faces(p.dice).reduce((a, b) => a + b, 0) }), ui.t("petition-best-group", bestGroup(p.dice)));
  lines.push(ui.t("petition-dice-left", { n: Math.max(0, s.dice_limit - faces(p.dice).length - s.rolling) }));
  const within = p.cards.filter((card) => p.claimable(card)).map((card) => ui.t(`petition-card-${card}`));
  if (!p.final && !s.rolling) lines.push(within.length ? ui.t("petition-claimable-now", { cards: within.join(ui.t("list-comma")) }) : ui.t("petition-claimable-none"));
  return lines;
}

/** @param {Position} p */
function lastLines(p) {
  const { ui, s } = p, [count, face] = s.mark, waiting = p.lastOrder().filter((seat) => !p.hasRolled(seat));
  const lines = [ui.t("petition-banner-mark", { count, face, name: ui.name(s.king) })];
  if (!p.over) lines.push(how(p));
  if (waiting.length) lines.push(ui.t("petition-banner-order", { names: names(p, waiting) }));
  return lines;
}

/** @param {Position} p @param {number} seat */
function seatLines(p, seat) {
  const { ui, s } = p, lines = [ui.t("petition-seat-dice", { n: p.startDice(seat) })];
  for (const card of p.court(seat)) {
    const times = p.owns(seat, card) > 1 ? ` ${ui.t("petition-times", { n: p.owns(seat, card) })}` : "";
    const use = seat === p.seat && p.used(card) ? ` (${ui.t("petition-used")})` : "";
    lines.push(`${ui.t(`petition-card-${card}`)}${times}: ${ui.t(`petition-card-${card}.does`)}${use}`);
  }
  if (!p.court(seat).length) lines.push(ui.t("petition-seat-cards", { n: 0 }));
  for (const what of ["start", "king", "queen"]) if (s[what] === seat) lines.push(ui.t(`petition-seat-${what}`));
  if (p.crowned && (p.final || p.over)) lines.push(standing(p, seat));
  return lines;
}

/** @param {Position} p @param {string} card */
function cardLine(p, card) {
  const { ui } = p, owners = p.owners(card);
  const copies = card === "charlatan" ? "" : card === "fool" && !p.s.fools ? ui.t("petition-copies-unlimited") : ui.t("petition-copies", { n: p.left(card) });
  return [ui.t(`petition-card-${card}`), `${ui.t("petition-needs")}: ${ui.t(`petition-card-${card}.need`)}`, `${ui.t("petition-does")}: ${ui.t(`petition-card-${card}.does`)}`,
    copies, owners.length ? ui.t("petition-owners", { names: names(p, owners) }) : ""].filter(Boolean).join(" · ");
}

// --- the end ----------------------------------------------------------------------------------------------------------------------

/** A final score: the best group. @param {View} view @param {number} n @param {Ui} ui */
export function score(view, n, ui) {
  const group = new Position(view, ui).result(n);
  return group ? html`<span class="group">${die(group.face, "small")} × ${group.count}<span class="unseen">${ui.t("petition-outcome-result", group)}</span></span>` : "–";
}

/** Why the winner won, roll by roll. @param {View} view @param {Ui} ui */
export function outcome(view, ui) {
  const p = new Position(view, ui), { s } = p;
  if (!p.crowned) return html`<p>${ui.t("petition-outcome-draw", { limit: s.round_limit })}</p>`;
  const [count, face] = s.mark;
  return html`<p><b>${ui.t("petition-outcome-wins", { name: ui.name(s.king), count, face })}</b></p>
    <ol class="petition-steps">${steps(p).map(({ seat, group, text }) => html`<li>${ui.shield(seat, "tiny")} <b>${ui.name(seat)}</b>
      ${group ? html`<span class="group">${die(group.face, "small")} × ${group.count}</span>` : nothing}<span>${text}</span></li>`)}</ol>
    <p class="quiet">${ui.t("petition-outcome-earlier")}</p>`;
}

/**
 * The rolls of the last round in their order. What the Queen's holder first took the King with is known unless she has since rolled better.
 * @param {Position} p @returns {{seat: number, group: {count: number, face: number} | null, text: string}[]}
 */
function steps(p) {
  const { ui, s } = p, worth = (/** @type {number} */ seat) => 10 * s.results[seat][0] + s.results[seat][1];
  const rolled = s.turn === s.players, wonBack = rolled && s.king === s.queen;
  const out = [{ seat: s.queen, group: wonBack ? null : p.result(s.queen), text: ui.t("petition-outcome-first") }];
  let best = wonBack ? 70 : worth(s.queen);
  for (const seat of p.lastOrder().slice(0, -1)) {
    const better = worth(seat) > best;
    if (better) best = worth(seat);
    out.push({ seat, group: p.result(seat), text: ui.t(s.conceded[seat] ? "petition-outcome-conceded" : better ? "petition-outcome-taken" : "petition-outcome-not-better") });
  }
  if (wonBack) out.push({ seat: s.queen, group: p.result(s.queen), text: ui.t(worth(s.queen) === best ? "petition-outcome-equal" : "petition-outcome-taken") });
  else if (rolled) out.push({ seat: s.queen, group: null, text: ui.t(s.conceded[s.queen] ? "petition-outcome-conceded" : "petition-outcome-not-better") });
  else out.push({ seat: s.queen, group: null, text: ui.t("petition-outcome-kept") });
  return out;
}
