/** What decided a finished game: chances over its course, turning points, choices and luck. Made when asked for. */
import { html, nothing } from "lit";
import { graph, percent, percents, played } from "./win-graph.js";
import { dialog, redrawDialogs, said } from "../components/dialogs.js";
import { ask } from "../core/http-client.js";
import { signed, t } from "../core/i18n.js";

/** @typedef {import("./game-view.js").Table} Table @typedef {import("../board-sdk/board-context.js").Ui} Ui */
/**
 * @typedef {import("../core/api-types.js").Review} Review
 * @typedef {import("../core/api-types.js").Decision} Decision
 */
/** @typedef {{found: Review, at: number}} Seen a review, and the decision that is looked at */
/** @typedef {(at: number) => void} Look looks at a decision */

/** A change of a chance, in points. @param {number} change in percent */
const points = (change) => signed(change);

/** @param {Table} table */
export function review(table) {
  /** @type {Seen | null} */
  let seen = null;
  /** @type {any} */
  let wrong = null;
  let asked = false;
  const begin = () => {
    wrong = null;
    table.tell("review");
  };
  const fetched = () => {
    if (asked || table.info.review?.state !== "ready") return;
    asked = true;
    ask("GET", `/api/tables/${table.info.id}/review`)
      .then(
        (found) => {
          seen = {
            found,
            at: Math.max(
              0,
              found.decisions.findIndex((/** @type {Decision} */ one) => one.turning),
            ),
          };
        },
        (error) => {
          wrong = error;
        },
      )
      .then(redrawDialogs);
  };
  if (table.info.review?.state === "none") begin();
  dialog(
    "review",
    () => t("review-title"),
    () => {
      fetched();
      if (wrong) return html`<p role="alert">${said(wrong)}</p>`;
      if (!seen) return making(table, begin);
      const look = (/** @type {number} */ at) => {
        /** @type {Seen} */ (seen).at = at;
        redrawDialogs();
      };
      const { ply } = seen.found.decisions[seen.at] ?? {};
      return html`${whole(seen.found, seen.at, look, table.ui)}
        <p class="buttons"><a class="button" href="/t/${table.info.id}?ply=${ply ?? 0}">${t("replay-here")}</a></p>`;
    },
  );
}

/** How far it is. @param {Table} table @param {() => void} begin */
export function making(table, begin) {
  const { state, done, of, ahead } = table.info.review ?? { state: "none", done: 0, of: 0, ahead: 0 };
  if (state === "failed")
    return html`<p role="alert">${t("review-failed")}</p>
      <div class="buttons"><button class="button" @click=${begin}>${t("review-again")}</button></div>`;
  const text = of ? t("review-working", { done, of }) : ahead ? t("review-waits", { ahead }) : t("review-soon");
  return html`<p>${text}</p>
    <progress aria-label=${t("review-title")} max="1" value=${of ? done / of : nothing}></progress>`;
}

/** @param {Review} found @param {number} at the decision that is looked at @param {Look} look @param {Ui} ui */
export function whole(found, at, look, ui) {
  const turning = found.decisions.flatMap((decision, i) => (decision.turning ? [i] : []));
  return html`
    <p class="quiet">${t("review-how", { count: found.decisions.length, simulations: found.simulations })}</p>
    ${found.decisions.length ? html`${graph(found, turning, at, look, ui)}${detail(found, at, ui)}` : nothing}
    <section><h3>${t(turning.length ? "review-turning" : "review-no-turning")}</h3>
      <ol class="turnings">${turning.map(
        (i) => html`<li>
        <button aria-pressed=${i === at} @click=${() => look(i)}>${point(found.decisions[i], ui)}</button></li>`,
      )}</ol></section>
    <section><h3>${t("review-balance")}</h3>${balances(found, ui)}<p class="quiet">${t("review-luck-is")}</p></section>
    <details><summary>${t("review-table")}</summary>${figures(found, ui)}</details>`;
}

/** A turning point: what was played, and what was better. @param {Decision} decision @param {Ui} ui */
function point(decision, ui) {
  const [best] = decision.tallies;
  const { seat } = decision;
  const [chance, instead] = [best, played(decision)].map(({ chances }) => percent(chances[seat]));
  return html`${ui.shield(seat, "tiny")}<b>${t("review-point", {
    name: ui.name(seat),
    played: ui.order(played(decision).move),
  })}</b>
    <span>${t("review-better", {
      better: ui.order(best.move),
      chance,
      instead,
      loss: chance - instead,
      error: percent(decision.error),
    })}</span>`;
}

/**
 * The decision that is looked at: what could be done, and the chances of it.
 * @param {Review} found @param {number} at @param {Ui} ui
 */
function detail(found, at, ui) {
  const decision = found.decisions[at];
  const { seat, tallies } = decision;
  const shares = tallies.map(({ chances }) => chances[seat]);
  const best = shares.indexOf(Math.max(...shares));
  return html`<section class="decision tint-${seat}">
    <h3>${ui.shield(seat, "tiny")}<span class="name">${ui.name(seat)}</span>
      <small>${t("review-decision", { number: at + 1, count: found.decisions.length })}</small></h3>
    <ul>${tallies.map(
      ({ move, chances, error }, i) => html`<li>
      <span>${ui.order(move)}${i === best ? html`<i class="tag">${t("review-best")}</i>` : nothing}${
        i === decision.played ? html`<i class="tag">${t("review-played")}</i>` : nothing
      }</span>
      <span class="share"><b>${t("review-percent", { chance: percent(chances[seat]) })}</b> <small>${t(
        "review-within",
        { error: percent(error) },
      )}</small></span>
      <span class="bar-of" aria-hidden="true"><span .style=${`width: ${percent(chances[seat])}%`}></span></span></li>`,
    )}</ul></section>`;
}

/** Where each player's chances came from. @param {Review} found @param {Ui} ui */
function balances(found, ui) {
  return html`<div class="wide"><table>
    <thead><tr><th>${t("seats")}</th><th>${t("review-begin")}</th><th>${t("review-own")}</th>
      <th>${t("review-others")}</th><th>${t("review-luck")}</th><th>${t("review-end")}</th></tr></thead>
    <tbody>${found.balances.map(({ begin, choices, error, others, luck, end }, seat) => {
      const [own, theirs, chance] = percents([choices, others, luck], percent(end) - percent(begin));
      return html`<tr>
      <th scope="row">${ui.shield(seat, "tiny")} <span class="name">${ui.name(seat)}</span></th>
      <td>${t("review-percent", { chance: percent(begin) })}</td>
      <td>${points(own)} <small>${t("review-within", { error: percent(error) })}</small></td>
      <td>${points(theirs)}</td><td>${points(chance)}</td>
      <td>${t("review-percent", { chance: percent(end) })}</td></tr>`;
    })}</tbody></table></div>`;
}

/** What the graph shows, in numbers: chances after each decision. @param {Review} found @param {Ui} ui */
function figures(found, ui) {
  const seats = found.balances.map((_, seat) => seat);
  return html`<div class="wide" tabindex="0" role="region" aria-label=${t("review-table")}><table>
    <thead><tr><td></td><th>${t("review-played")}</th><th>${t("review-best")}</th>
      ${seats.map((seat) => html`<th>${ui.name(seat)}</th>`)}</tr></thead>
    <tbody>${found.decisions.map(
      (decision, i) => html`<tr>
      <th scope="row">${i + 1}</th>
      <td>${t("review-point", { name: ui.name(decision.seat), played: ui.order(played(decision).move) })}</td>
      <td>${decision.loss > 0 ? ui.order(decision.tallies[0].move) : ""}</td>
      ${played(decision).chances.map((chance) => html`<td>${t("review-percent", { chance: percent(chance) })}</td>`)}
      </tr>`,
    )}</tbody></table></div>`;
}
