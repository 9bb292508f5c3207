/** The texts of the game: what to do now, the seats, the state in sentences, and the outcome. */
import { html, nothing } from "lit";
import { detailText } from "./booths.js";
import { renderChip } from "./figures.js";
import { Position } from "./position.js";
import { effectText, eventText, placeText } from "./town.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

/** @param {View} view @param {BoardContext} ui */
export function prompt(view, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  const me = p.me ?? 0;
  const servant = p.activeServant ?? "";
  if (p.phase === "drafting")
    return state.picked[me]
      ? ui.t("puppet-prompt-keep-second")
      : ui.t("puppet-prompt-keep-first", { name: ui.playerName(p.facts.left) });
  if (p.phase === "revealing")
    return ui.t(state.facedown[me] > 1 ? "puppet-prompt-reveal" : "puppet-prompt-reveal-last");
  if (p.phase === "stealing") return ui.t("puppet-prompt-steal", { name: ui.playerName(state.seat), servant });
  if (p.phase === "putting") return ui.t("puppet-prompt-put");
  if (p.phase === "taxing") return ui.t("puppet-prompt-tax");
  if (p.facts.effect === "open") return ui.t("puppet-prompt-act", { servant });
  if (p.facts.effect === "gone") return ui.t("puppet-prompt-act-killed-effect", { servant });
  return ui.t(view.legal.length > 1 ? "puppet-prompt-act-more" : "puppet-prompt-end");
}

/** @param {View} view @param {number} seat @param {BoardContext} ui */
export const score = (view, seat, ui) => ui.t("puppet-worth", { n: view.state.points[seat] });

/** @param {View} view @param {number} n @param {BoardContext} ui */
export function seat(view, n, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  return html`<span class="puppet-seat">${
    p.over
      ? nothing
      : html`<b class="points" title=${ui.t("puppet-points", {
          n: state.points[n],
          goal: p.goal,
        })}>${ui.t("puppet-worth", { n: state.points[n] })}</b>`
  }
    ${state.parent === n ? html`<span class="badge">${ui.t("puppet-parent")}</span>` : nothing}
    ${
      p.phase === "drafting"
        ? html`<span class="badge">${ui.t(
            state.picked[n] === 2 || !view.pending.includes(n) ? "puppet-seat-chosen" : "puppet-seat-choosing",
          )}</span>`
        : html`<span class="backs">${Array.from({ length: state.facedown[n] }, () => html`<i></i>`)}${
            state.facedown[n] ? ui.t("puppet-seat-servants.short", { n: state.facedown[n] }) : nothing
          }</span>`
    }
    <span class="wealth">${p.goods.map((good) =>
      p.goodCount(n, good)
        ? html`<span title=${p.formatAmounts([
            [good, p.goodCount(n, good)],
          ])}>${renderChip(good)}${p.goodCount(n, good)}</span>`
        : nothing,
    )}</span></span>`;
}

// --- plain rendering -------------------------------------------------------------------------------------------------

/** @param {View} view @param {BoardContext} ui @returns {{heading: string, lines: string[]}[]} */
export function plain(view, ui) {
  const p = new Position(view, ui);
  const { state } = p;
  return [
    { heading: formatRound(p), lines: describeRound(p) },
    ...p.seats
      .filter((n) => state.hand[n]) // the viewer's, or all hands once they are shown
      .map((n) => ({
        heading: n === p.me ? ui.t("puppet-servants-yours") : ui.t("puppet-servants-of", { name: ui.playerName(n) }),
        lines: describeOwn(p, n),
      })),
    ...p.seats.map((n) => ({ heading: ui.playerName(n), lines: describeSeat(p, n) })),
    {
      heading: ui.t("puppet-row"),
      lines: [
        ...p.rowBuildings.map((building) => (building ? describeBuilding(p, building) : ui.t("puppet-place-empty"))),
        ui.t("puppet-row-pile", { n: p.pileBuildings.length }),
        p.discardedBuildings.length
          ? ui.t("puppet-row-discarded", { names: p.formatNames("building", p.discardedBuildings) })
          : ui.t("puppet-row-discard", { n: 0 }),
      ],
    },
  ];
}

/** @param {Position} p */
const formatRound = ({ state, ui }) =>
  state.round_limit
    ? ui.t("puppet-round-of", { n: state.round, limit: state.round_limit })
    : ui.t("puppet-round", { n: state.round });

/** @param {Position} p */
function describeRound(p) {
  const { ui } = p;
  const lines = [ui.t(`puppet-part-${p.roundPart}`), ui.t("puppet-goal", { n: p.goal })];
  lines.push(
    p.newestEvent
      ? ui.joinSentences([
          ui.formatLabelled(ui.t("puppet-event-now"), ui.t(`puppet-event-${p.newestEvent}`)),
          eventText(p, p.newestEvent),
        ])
      : ui.t("puppet-event-none"),
  );
  if (p.olderEvent)
    lines.push(
      ui.formatLabelled(
        ui.t("puppet-event-older"),
        ui.t("puppet-event-seen", {
          event: p.olderEvent,
          where: ui.t("puppet-event-past"),
        }),
      ),
    );
  lines.push(
    ui.formatLabelled(
      ui.t("puppet-event-pile"),
      ui.formatList(
        p.eventPile.map(({ event, place }) =>
          place === null
            ? ui.t(`puppet-event-${event}`)
            : ui.t("puppet-event-seen", { event, where: placeText(p, place) }),
        ),
      ),
    ),
  );
  if (p.history.length) lines.push(ui.formatLabelled(ui.t("puppet-event-history"), p.formatNames("event", p.history)));
  for (const { kind, by, target, servant, state } of p.marks) {
    const mark = ui.t(`puppet-mark-${kind}-detail`, { by: ui.playerName(by), target: ui.playerName(target), servant });
    lines.push(ui.joinSentences([mark, ...(state === "open" ? [] : [ui.t(`puppet-mark-${state}`)])]));
  }
  return lines;
}

/** @param {Position} p @param {number} me */
function describeOwn(p, me) {
  const { ui, state } = p;
  const hand = p.listServants(state.hand[me]);
  const passed = p.listServants(state.passed[me]);
  const received = p.listServants(state.received[me]);
  const lines = [...hand, ...p.listServants(state.down[me])].map((servant) =>
    ui.formatLabelled(ui.t(`puppet-servant-${servant}`), detailText(p, servant)),
  );
  if (hand.length) lines.unshift(ui.t("puppet-servants-hand"));
  if (passed.length) lines.push(ui.t("puppet-memory-passed", { servants: p.formatNames("servant", passed) }));
  if (received.length) lines.push(ui.t("puppet-memory-received", { servants: p.formatNames("servant", received) }));
  if (p.servantInCentre) lines.push(ui.t("puppet-memory-centre", { servant: p.servantInCentre }));
  return lines;
}

/** @param {Position} p @param {number} seat */
function describeSeat(p, seat) {
  const { ui, state } = p;
  const lines = [ui.t("puppet-points", { n: state.points[seat], goal: p.goal })];
  if (state.parent === seat) lines.push(ui.t("puppet-parent"));
  lines.push(
    p.formatAmounts(
      p.goods.flatMap((good) =>
        p.goodCount(seat, good) ? [/** @type {[string, number]} */ ([good, p.goodCount(seat, good)])] : [],
      ),
    ) || ui.t("puppet-no-goods"),
  );
  const named = (/** @type {{servant: string | null, fate: string}} */ { servant, fate }) =>
    fate ? ui.t("puppet-servant-met", { servant, fate: ui.t(`puppet-${fate}`) }) : ui.t(`puppet-servant-${servant}`);
  const shown = p
    .servantsBefore(seat)
    .filter(({ up }) => up)
    .map(named);
  const last = p.servantsLastRound(seat).map(named);
  if (shown.length) lines.push(ui.formatList(shown));
  if (last.length) lines.push(ui.formatLabelled(ui.t("puppet-last-round"), ui.formatList(last)));
  lines.push(ui.t("puppet-seat-servants", { n: state.facedown[seat] }));
  if (p.possibleServants(seat).length)
    lines.push(ui.formatLabelled(ui.t("puppet-can-hold"), p.formatNames("servant", p.possibleServants(seat))));
  lines.push(...p.buildingsOf(seat).map((building) => describeBuilding(p, building)));
  if (!p.buildingsOf(seat).length) lines.push(ui.t("puppet-buildings-none"));
  return lines;
}

/** @param {Position} p @param {string} building */
function describeBuilding(p, building) {
  const { ui } = p;
  const { cost, tax, points } = p.cards.buildings[building];
  const worth = ui.t("puppet-worth", { n: points });
  const price = ui.formatLabelled(ui.t("puppet-cost"), p.formatAmounts(p.listAmounts(cost)));
  const due = ui.formatLabelled(ui.t("puppet-tax"), p.formatAmounts(p.listAmounts(tax)) || ui.t("puppet-tax-none"));
  return ui.formatLabelled(
    ui.t(`puppet-building-${building}`),
    ui.joinParts([worth, price, due, effectText(p, building)]),
  );
}

// --- the end
// ----------------------------------------------------------------------------------------------------------

/** Render the sources of each seat's points, and the tie-breaker. @param {View} view @param {BoardContext} ui */
export function outcome(view, ui) {
  const p = new Position(view, ui);
  const ranks = [...p.seats].sort((a, b) => (view.scores?.[b] ?? 0) - (view.scores?.[a] ?? 0));
  const hasTie = ranks.slice(1).some((seat, i) => i > 0 && p.state.points[seat] === p.state.points[ranks[i]]);
  return html`${
    p.facts.ended.goal ? nothing : html`<p>${ui.t("puppet-outcome-limit")}</p>`
  }<p><b>${ui.t(`puppet-outcome-${p.facts.ended.why}`, { name: ui.playerName(ranks[0]) })}</b></p>
    ${hasTie ? html`<p>${ui.t("puppet-outcome-places")}</p>` : nothing}
    <ul class="puppet-outcome">${ranks.map(
      (n) => html`<li>${ui.renderShield(n, "tiny")}<b>${ui.playerName(n)}</b><span>${ui.t("puppet-outcome-made", {
        honour: p.goodCount(n, "honour"),
        buildings: p.facts.built[n],
      })}</span>
      <small>${ui.formatList(
        p
          .buildingsOf(n)
          .map((building) => ui.t("puppet-outcome-building", { building, n: p.cards.buildings[building].points })),
      )}</small></li>`,
    )}</ul>`;
}

/**
 * Describe what all did at once: the event before it, and that servants were chosen.
 * @param {Cue[][]} turns @param {number} at @param {BoardContext} ui
 */
export function headline(turns, at, ui) {
  const event = turns[at].findLast(({ verb }) => verb === "event");
  const keeps = turns[at].some(({ verb }) => verb === "keep");
  return ui.joinSentences([...(event ? [ui.cueText(event)] : []), ...(keeps ? [ui.t("puppet-together")] : [])]);
}
