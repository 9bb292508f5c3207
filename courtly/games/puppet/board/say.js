/** What is said of the table: what to do now, the seats, the state in sentences, and how the game came out. */
import { html, nothing } from "lit";
import { detailText } from "./booths.js";
import { chip } from "./figures.js";
import { Position } from "./position.js";
import { effectText, eventText, seenAt } from "./town.js";

/**
 * @typedef {import("../../../web/core/api-types.js").View} View
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */

/** @param {View} view @param {Ui} ui */
export function prompt(view, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  const me = p.me ?? 0;
  const servant = p.card ?? "";
  if (p.phase === "drafting")
    return s.picked[me]
      ? ui.t("puppet-prompt-keep-second")
      : ui.t("puppet-prompt-keep-first", { name: ui.name(p.facts.left) });
  if (p.phase === "revealing") return ui.t(s.facedown[me] > 1 ? "puppet-prompt-reveal" : "puppet-prompt-reveal-last");
  if (p.phase === "stealing") return ui.t("puppet-prompt-steal", { name: ui.name(s.seat), servant });
  if (p.phase === "putting") return ui.t("puppet-prompt-put");
  if (p.phase === "taxing") return ui.t("puppet-prompt-tax");
  if (p.facts.effect === "open") return ui.t("puppet-prompt-act", { servant });
  if (p.facts.effect === "gone") return ui.t("puppet-prompt-act-killed-effect", { servant });
  return ui.t(view.legal.length > 1 ? "puppet-prompt-act-more" : "puppet-prompt-end");
}

/** @param {View} view @param {number} seat @param {Ui} ui */
export const score = (view, seat, ui) => ui.t("puppet-worth", { n: view.state.points[seat] });

/** @param {View} view @param {number} n @param {Ui} ui */
export function seat(view, n, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  return html`<span class="puppet-seat">${
    p.over
      ? nothing
      : html`<b class="points" title=${ui.t("puppet-points", {
          n: s.points[n],
          goal: p.goal,
        })}>${ui.t("puppet-worth", { n: s.points[n] })}</b>`
  }
    ${s.parent === n ? html`<span class="badge">${ui.t("puppet-parent")}</span>` : nothing}
    ${
      p.phase === "drafting"
        ? html`<span class="badge">${ui.t(
            s.picked[n] === 2 || !view.pending.includes(n) ? "puppet-seat-chosen" : "puppet-seat-choosing",
          )}</span>`
        : html`<span class="backs" role="img" aria-label=${ui.t("puppet-seat-servants", {
            n: s.facedown[n],
          })}>${Array.from({ length: s.facedown[n] }, () => html`<i></i>`)}</span>`
    }
    <span class="wealth">${p.goods.map((good) =>
      p.has(n, good)
        ? html`<span title=${p.words([[good, p.has(n, good)]])}>${chip(good)}${p.has(n, good)}</span>`
        : nothing,
    )}</span></span>`;
}

// --- in sentences ----------------------------------------------------------------------------------------------------

/** @param {View} view @param {Ui} ui @returns {{heading: string, lines: string[]}[]} */
export function plain(view, ui) {
  const p = new Position(view, ui);
  const { s } = p;
  return [
    { heading: roundHeading(p), lines: roundLines(p) },
    ...p.seats
      .filter((n) => s.hand[n]) // mine, or everybody's when all lies open
      .map((n) => ({
        heading: n === p.me ? ui.t("puppet-servants-yours") : ui.t("puppet-servants-of", { name: ui.name(n) }),
        lines: ownLines(p, n),
      })),
    ...p.seats.map((n) => ({ heading: ui.name(n), lines: seatLines(p, n) })),
    {
      heading: ui.t("puppet-row"),
      lines: [
        ...p.row.map((building) => (building ? buildingLine(p, building) : ui.t("puppet-place-empty"))),
        ui.t("puppet-row-pile", { n: p.pile.length }),
        p.discarded.length
          ? ui.t("puppet-row-discarded", { names: p.names("building", p.discarded) })
          : ui.t("puppet-row-discard", { n: 0 }),
      ],
    },
  ];
}

/** @param {Position} p */
const roundHeading = ({ s, ui }) =>
  s.round_limit ? ui.t("puppet-round-of", { n: s.round, limit: s.round_limit }) : ui.t("puppet-round", { n: s.round });

/** @param {Position} p */
function roundLines(p) {
  const { ui } = p;
  const lines = [ui.t(`puppet-part-${p.part}`), ui.t("puppet-goal", { n: p.goal })];
  lines.push(
    p.newest
      ? ui.sentences([ui.labelled(ui.t("puppet-event-now"), ui.t(`puppet-event-${p.newest}`)), eventText(p, p.newest)])
      : ui.t("puppet-event-none"),
  );
  if (p.older)
    lines.push(
      ui.labelled(
        ui.t("puppet-event-older"),
        ui.t("puppet-event-seen", {
          event: p.older,
          where: ui.t("puppet-event-past"),
        }),
      ),
    );
  lines.push(
    ui.labelled(
      ui.t("puppet-event-pile"),
      ui.list(
        p.eventPile.map(({ event, place }) =>
          place === null
            ? ui.t(`puppet-event-${event}`)
            : ui.t("puppet-event-seen", { event, where: seenAt(p, place) }),
        ),
      ),
    ),
  );
  if (p.history.length) lines.push(ui.labelled(ui.t("puppet-event-history"), p.names("event", p.history)));
  for (const { kind, by, target, servant, state } of p.marks) {
    const mark = ui.t(`puppet-mark-${kind}-detail`, { by: ui.name(by), target: ui.name(target), servant });
    lines.push(ui.sentences([mark, ...(state === "open" ? [] : [ui.t(`puppet-mark-${state}`)])]));
  }
  return lines;
}

/** @param {Position} p @param {number} me */
function ownLines(p, me) {
  const { ui, s } = p;
  const hand = p.list(s.hand[me]);
  const passed = p.list(s.passed[me]);
  const received = p.list(s.received[me]);
  const lines = [...hand, ...p.list(s.down[me])].map((servant) =>
    ui.labelled(ui.t(`puppet-servant-${servant}`), detailText(p, servant)),
  );
  if (hand.length) lines.unshift(ui.t("puppet-servants-hand"));
  if (passed.length) lines.push(ui.t("puppet-memory-passed", { servants: p.names("servant", passed) }));
  if (received.length) lines.push(ui.t("puppet-memory-received", { servants: p.names("servant", received) }));
  if (p.centre) lines.push(ui.t("puppet-memory-centre", { servant: p.centre }));
  return lines;
}

/** @param {Position} p @param {number} seat */
function seatLines(p, seat) {
  const { ui, s } = p;
  const lines = [ui.t("puppet-points", { n: s.points[seat], goal: p.goal })];
  if (s.parent === seat) lines.push(ui.t("puppet-parent"));
  lines.push(
    p.words(
      p.goods.flatMap((good) =>
        p.has(seat, good) ? [/** @type {[string, number]} */ ([good, p.has(seat, good)])] : [],
      ),
    ) || ui.t("puppet-no-goods"),
  );
  const named = (/** @type {{servant: string | null, fate: string}} */ { servant, fate }) =>
    fate ? ui.t("puppet-servant-met", { servant, fate: ui.t(`puppet-${fate}`) }) : ui.t(`puppet-servant-${servant}`);
  const shown = p
    .before(seat)
    .filter(({ up }) => up)
    .map(named);
  const last = p.last(seat).map(named);
  if (shown.length) lines.push(ui.list(shown));
  if (last.length) lines.push(ui.labelled(ui.t("puppet-last-round"), ui.list(last)));
  lines.push(ui.t("puppet-seat-servants", { n: s.facedown[seat] }));
  if (p.possible(seat).length) lines.push(ui.labelled(ui.t("puppet-can-hold"), p.names("servant", p.possible(seat))));
  lines.push(...p.owned(seat).map((building) => buildingLine(p, building)));
  if (!p.owned(seat).length) lines.push(ui.t("puppet-buildings-none"));
  return lines;
}

/** @param {Position} p @param {string} building */
function buildingLine(p, building) {
  const { ui } = p;
  const { cost, tax, points } = p.cards.buildings[building];
  const worth = ui.t("puppet-worth", { n: points });
  const price = ui.labelled(ui.t("puppet-cost"), p.words(p.amounts(cost)));
  const due = ui.labelled(ui.t("puppet-tax"), p.words(p.amounts(tax)) || ui.t("puppet-tax-none"));
  return ui.labelled(ui.t(`puppet-building-${building}`), ui.parts([worth, price, due, effectText(p, building)]));
}

// --- the end ---------------------------------------------------------------------------------------------------------

/** How each seat's points were made, and what decided between equals. @param {View} view @param {Ui} ui */
export function outcome(view, ui) {
  const p = new Position(view, ui);
  const ranks = [...p.seats].sort((a, b) => (view.scores?.[b] ?? 0) - (view.scores?.[a] ?? 0));
  return html`${
    p.facts.ended.goal ? nothing : html`<p>${ui.t("puppet-outcome-limit")}</p>`
  }<p><b>${ui.t(`puppet-outcome-${p.facts.ended.why}`, { name: ui.name(ranks[0]) })}</b></p>
    <ul class="puppet-outcome">${ranks.map(
      (n) => html`<li>${ui.shield(n, "tiny")}<b>${ui.name(n)}</b><span>${ui.t("puppet-outcome-made", {
        honour: p.has(n, "honour"),
        buildings: p.facts.built[n],
      })}</span>
      <small>${ui.list(
        p
          .owned(n)
          .map((building) => ui.t("puppet-outcome-building", { building, n: p.cards.buildings[building].points })),
      )}</small></li>`,
    )}</ul>`;
}
