/** The viewer's actions: choosing a servant, the three actions of a turn, naming, taxes. */
import { html, nothing } from "lit";
import { hideVisually } from "../../../web/components/visually-hidden.js";
import { renderChip, renderGoods, renderIcon } from "./figures.js";
import { detailText } from "./booths.js";
import { eventText } from "./town.js";

/**
 * @typedef {import("./position.js").Position} Position @typedef {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 */

/**
 * Return the move that a click on the viewer's servant makes, and whether the servant is selected.
 * @param {Position} p @param {string} servant @param {string} key @returns {{move: Move | null, chosen: boolean}}
 */
export function findServantMove(p, servant, key) {
  const verb = key.startsWith("hand") ? "keep" : key.startsWith("down") ? "reveal" : "";
  const [move] = verb ? p.ui.legalMoves(verb, { servant }) : [];
  return { move: move ?? null, chosen: Boolean(move) && getChosenServant(p) === servant };
}

/** @param {Position} p @returns {string | null} */
function getChosenServant(p) {
  const offered = [...p.ui.legalMoves("keep"), ...p.ui.legalMoves("reveal")].map((move) => move.args.servant);
  return offered.length === 1 ? offered[0] : offered.includes(p.ui.local.servant) ? p.ui.local.servant : null;
}

/** @param {Position} p */
export function renderActions(p) {
  const { ui } = p;
  const inner = !p.view.legal.length
    ? renderWaiting(p)
    : ["drafting", "revealing"].includes(p.phase)
      ? renderChoice(p)
      : p.phase === "putting"
        ? renderPutting(p)
        : p.phase === "taxing"
          ? renderTaxes(p)
          : ui.local.naming !== undefined || ui.local.clearing
            ? ui.local.clearing
              ? renderClearing(p)
              : renderTargets(p)
            : renderTurn(p);
  return html`<div class="acts">${inner}</div>`;
}

/** Say that others still choose, once the viewer has chosen. @param {Position} p */
const renderWaiting = (p) =>
  p.phase === "drafting" && p.me !== null && !p.view.pending.includes(p.me)
    ? html`<p class="quiet">${p.ui.t("puppet-waiting")}</p>`
    : nothing;

/** @param {BoardContext} ui @param {Move} move @param {unknown} [content] @param {string} [extra] */
const renderMoveButton = (ui, move, content, extra = "") =>
  html`<button class="button ${extra}" @click=${() => ui.play(move)}>${
    content === undefined
      ? ui.moveText(move)
      : html`${hideVisually(ui.moveText(move))}<span class="drawn" aria-hidden="true">${content}</span>`
  }</button>`;

/** Render the confirmation for keeping or revealing the servant that is selected above. @param {Position} p */
function renderChoice(p) {
  const { ui } = p;
  const servant = getChosenServant(p);
  const [move] = servant ? [...ui.legalMoves("keep", { servant }), ...ui.legalMoves("reveal", { servant })] : [];
  return html`<p class="telling">${servant ? detailText(p, servant) : nothing}</p>
    <div class="go"><button class="button" ?disabled=${!move}
        @click=${() => move && ui.play(move)}>${
          move ? ui.moveText(move) : ui.t("puppet-choose-servant")
        }</button></div>`;
}

// --- a turn
// -----------------------------------------------------------------------------------------------------------

/** @param {Position} p */
function renderTurn(p) {
  const { ui, state } = p;
  const buys = ui.legalMoves("buy");
  const takes = ui.legalMoves("take");
  const [end] = ui.legalMoves("end");
  const [decline] = ui.legalMoves("decline");
  if (end && ui.local.sure) {
    return html`<p class="telling sure" role="alert">${ui.t("puppet-sure")}</p><div class="go"><button
        class="button quiet" @click=${() => ui.setLocal({ sure: false })}>${ui.t("puppet-back")}</button>
      <button class="button" @click=${() => ui.play(end)}>${ui.t("puppet-sure-yes")}</button></div>`;
  }
  return html`<div class="act effect ${state.used && p.phase === "acting" ? "done" : ""}"><h3>${
    p.activeServant ? renderIcon(p.activeServant) : nothing
  }${ui.t("puppet-act-effect")}</h3><div>${renderEffect(p)}</div></div>
    ${
      decline
        ? nothing
        : html`
          <div class="act good ${takes.length ? "" : "done"}"><h3>${ui.t("puppet-act-good")}</h3><div>${
            takes.length
              ? takes.map((move) => renderMoveButton(ui, move, html`${renderChip(move.args.good)}+1`, "chip-button"))
              : renderDone(ui)
          }</div></div>
          <div class="act build ${state.bought ? "done" : ""}"><h3>${ui.t("puppet-act-building")}</h3><div>${
            state.bought
              ? renderDone(ui)
              : buys.length
                ? buys.map((move) =>
                    renderMoveButton(
                      ui,
                      move,
                      html`${renderIcon(move.args.building)}${ui.t(`puppet-building-${move.args.building}`)}`,
                      "small",
                    ),
                  )
                : html`<span class="quiet">${ui.t("puppet-building-none-now")}</span>`
          }</div></div>`
    }
    <div class="go">${decline ? renderMoveButton(ui, decline, undefined, "quiet") : nothing}
      ${
        end
          ? html`<button class="button ${takes.length || buys.length ? "quiet" : ""}"
            @click=${() => (takes.length ? ui.setLocal({ sure: true }) : ui.play(end))}>${ui.moveText(end)}</button>`
          : nothing
      }</div>`;
}

/** @param {BoardContext} ui */
const renderDone = (ui) => html`<span class="quiet">✓ ${ui.t("puppet-done")}</span>`;

/** Render the effect of the revealed servant, for the player who receives it. @param {Position} p */
function renderEffect(p) {
  const { ui, state } = p;
  if (state.used && p.phase === "acting")
    return html`<span class="quiet">${
      p.activeFate === "stolen" ? ui.t("puppet-stolen") : html`✓ ${ui.t("puppet-done")}`
    }</span>`;
  const names = [...ui.legalMoves("kill"), ...ui.legalMoves("steal")];
  const clears = ui.legalMoves("clear");
  if (names.length)
    return html`<button class="button" @click=${() =>
      ui.setLocal({
        naming: names.every((m) => m.args.target === names[0].args.target) ? names[0].args.target : null,
      })}>${p.activeServant ? ui.t(`puppet-servant-${p.activeServant}.does`) : ""} …</button>`;
  if (clears.length)
    return html`<button class="button" @click=${() => ui.setLocal({ clearing: true })}>${ui.t(
      "puppet-servant-foundation.does",
    )} …</button>`;
  const simple = [
    ...ui.legalMoves("gain"),
    ...ui.legalMoves("lead"),
    ...ui.legalMoves("look"),
    ...ui.legalMoves("offer"),
    ...ui.legalMoves("rob"),
  ];
  if (!simple.length) return html`<span class="quiet">${whyNoEffect(p)}</span>`;
  return simple.map((move) =>
    renderMoveButton(
      ui,
      move,
      renderMoveDrawing(p, move),
      move.verb === "offer" ? "small offer" : move.verb === "rob" ? "chip-button" : "",
    ),
  );
}

/** Return why the effect of the servant at turn cannot be used. @param {Position} p */
function whyNoEffect(p) {
  const { ui, state } = p;
  const servant = p.activeServant;
  if (p.activeFate === "killed") return ui.t("puppet-killed");
  if (servant === "elephant") return ui.t("puppet-lacks-two-goods");
  if (servant === "princess")
    return ui.t(state.parent === p.me ? "puppet-refusal-you-are-parent" : "puppet-refusal-parent-has-none");
  if (servant === "reaper" || servant === "imp") return ui.t("puppet-lacks-face-down");
  if (servant === "foundation") return ui.t("puppet-lacks-building");
  return ui.t("puppet-effect-none-now");
}

/** Render the drawing on the button of an effect's move. @param {Position} p @param {Move} move */
function renderMoveDrawing(p, { verb, args }) {
  if (verb === "gain") return html`${renderGoods(p, [[args.good, args.amount]])}`;
  if (verb === "rob") return html`${renderChip(args.good)}`;
  if (verb === "offer")
    return html`${args.goods
      .split("-")
      .map((/** @type {string} */ good) => renderChip(good))} → ${renderChip("honour")}`;
  return undefined;
}

/** Render the choice of a target and a servant. @param {Position} p */
function renderTargets(p) {
  const { ui } = p;
  const moves = [...ui.legalMoves("kill"), ...ui.legalMoves("steal")];
  const target = ui.local.naming;
  const targets = p.seats.filter((seat) => moves.some((move) => move.args.target === seat));
  return html`<div class="act"><h3>${ui.t("puppet-naming-whom")}</h3><div>${targets.map(
    (seat) =>
      html`<button class="button quiet small" aria-pressed=${target === seat}
          @click=${() => ui.setLocal({ naming: seat })}>${ui.renderShield(
            seat,
            "tiny",
          )}${ui.playerName(seat)}</button>`,
  )}
      <button class="button quiet small back" @click=${() =>
        ui.setLocal({ naming: undefined })}>${ui.t("puppet-back")}</button></div></div>
    ${
      target === null
        ? nothing
        : renderServantNames(
            p,
            target,
            moves.filter((move) => move.args.target === target),
          )
    }`;
}

/**
 * Render the servants that a seat can hold as buttons; those that the viewer knows it cannot hold are only listed.
 * @param {Position} p @param {number} target @param {Move[]} moves
 */
function renderServantNames(p, target, moves) {
  const { ui } = p;
  const out = moves.map((move) => move.args.servant).filter((servant) => !p.canHold(target, servant));
  return html`<p class="telling">${ui.t("puppet-naming-which", { name: ui.playerName(target) })}</p>
    <div class="names">${moves
      .filter((move) => !out.includes(move.args.servant))
      .map((move) =>
        renderMoveButton(
          ui,
          move,
          html`${renderIcon(move.args.servant)}${ui.t(`puppet-servant-${move.args.servant}`)}`,
          "small",
        ),
      )}</div>
    ${
      out.length
        ? html`<p class="telling out">${ui.t("puppet-naming-out", { servants: p.formatNames("servant", out) })}</p>`
        : nothing
    }`;
}

/** Render the choice of the building to remove, and whether another one replaces it. @param {Position} p */
function renderClearing(p) {
  const { ui } = p;
  const moves = ui.legalMoves("clear");
  return html`<p class="telling">${ui.t("puppet-clear-which")} <button class="button quiet small back"
      @click=${() => ui.setLocal({ clearing: false })}>${ui.t("puppet-back")}</button></p>
    ${[...new Set(moves.map((move) => move.args.building))].map(
      (building) => html`<div class="act"><h3>${renderIcon(building)}${ui.t(`puppet-building-${building}`)}</h3><div>
      ${[1, 0]
        .flatMap((refill) => ui.legalMoves("clear", { building, refill }))
        .map((move) =>
          renderMoveButton(ui, move, ui.t(move.args.refill ? "puppet-clear-refill" : "puppet-clear-leave"), "small"),
        )}</div></div>`,
    )}`;
}

/** @param {Position} p */
function renderPutting(p) {
  const { ui, state } = p;
  const event = p.events[state.known[/** @type {number} */ (p.me)][0] - 1];
  return html`<p class="telling">${renderIcon(event)} <b>${ui.t("puppet-seen-event", { event })}</b>
      ${eventText(p, event)}</p>
    <div class="go">${ui.legalMoves("put").map((move) => renderMoveButton(ui, move))}</div>`;
}

/** @param {Position} p */
function renderTaxes(p) {
  const { ui, state } = p;
  const me = /** @type {number} */ (p.me);
  return html`<div class="taxes">${p.taxedBuildings(me).map((building) => {
    const plan = state.plan[me][p.buildings.indexOf(building)];
    const [pay] = ui.legalMoves("pay", { building });
    const [forgo] = ui.legalMoves("forgo", { building });
    return html`<div class="act ${plan ? "done" : ""}"><h3>${renderIcon(building)}${ui.t(`puppet-building-${building}`)}
          <small>${ui.t("puppet-worth", { n: p.cards.buildings[building].points })}</small></h3><div>
      ${
        plan
          ? html`<span class="quiet">✓ ${ui.moveText(
              ui.findMove(ui.fieldValueName("plan", plan), { building }),
            )}</span>`
          : nothing
      }
      ${
        pay
          ? renderMoveButton(
              ui,
              pay,
              html`${ui.t("puppet-tax")}
                ${renderGoods(p, p.listAmounts(p.cards.buildings[building].tax))}`,
              "small",
            )
          : nothing
      }
      ${forgo ? renderMoveButton(ui, forgo, ui.t("puppet-give-up"), "quiet small") : nothing}</div></div>`;
  })}</div>`;
}
