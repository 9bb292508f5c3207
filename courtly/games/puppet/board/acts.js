/** What the viewer can do now: the choice of a servant, the three actions of a turn, naming, taxes. */
import { html, nothing } from "lit";
import { unseen } from "../../../web/components/visually-hidden.js";
import { chip, goods, icon } from "./figures.js";
import { detailText } from "./booths.js";
import { eventText } from "./town.js";

/**
 * @typedef {import("./position.js").Position} Position @typedef {import("../../../web/core/api-types.js").Move} Move
 * @typedef {import("../../../web/board-sdk/board-context.js").Ui} Ui
 */

/**
 * The move that a servant before the viewer stands for, and whether it is picked.
 * @param {Position} p @param {string} servant @param {string} key @returns {{move: Move | null, chosen: boolean}}
 */
export function choosable(p, servant, key) {
  const verb = key.startsWith("hand") ? "keep" : key.startsWith("down") ? "reveal" : "";
  const [move] = verb ? p.ui.can(verb, { servant }) : [];
  return { move: move ?? null, chosen: Boolean(move) && chosenServant(p) === servant };
}

/** @param {Position} p @returns {string | null} */
function chosenServant(p) {
  const offered = [...p.ui.can("keep"), ...p.ui.can("reveal")].map((move) => move.args.servant);
  return offered.length === 1 ? offered[0] : offered.includes(p.ui.local.servant) ? p.ui.local.servant : null;
}

/** @param {Position} p */
export function acts(p) {
  const { ui } = p;
  const inner = !p.view.legal.length
    ? waiting(p)
    : ["drafting", "revealing"].includes(p.phase)
      ? choice(p)
      : p.phase === "putting"
        ? putting(p)
        : p.phase === "taxing"
          ? taxes(p)
          : ui.local.naming !== undefined || ui.local.clearing
            ? ui.local.clearing
              ? clearing(p)
              : naming(p)
            : turn(p);
  return html`<div class="acts">${inner}</div>`;
}

/** @param {Position} p */
const waiting = (p) => (p.phase === "drafting" ? html`<p class="quiet">${p.ui.t("puppet-waiting")}</p>` : nothing);

/** @param {Ui} ui @param {Move} move @param {unknown} [drawn] @param {string} [extra] */
const button = (ui, move, drawn, extra = "") =>
  html`<button class="button ${extra}" @click=${() => ui.play(move)}>${
    drawn === undefined
      ? ui.order(move)
      : html`${unseen(ui.order(move))}<span class="drawn" aria-hidden="true">${drawn}</span>`
  }</button>`;

/** A servant to keep or to turn up: picked above, confirmed here. @param {Position} p */
function choice(p) {
  const { ui } = p;
  const servant = chosenServant(p);
  const [move] = servant ? [...ui.can("keep", { servant }), ...ui.can("reveal", { servant })] : [];
  return html`<p class="telling">${servant ? detailText(p, servant) : nothing}</p>
    <div class="go"><button class="button" ?disabled=${!move}
        @click=${() => move && ui.play(move)}>${move ? ui.order(move) : ui.t("puppet-choose-servant")}</button></div>`;
}

// --- a turn ----------------------------------------------------------------------------------------------------------

/** @param {Position} p */
function turn(p) {
  const { ui, s } = p;
  const buys = ui.can("buy");
  const takes = ui.can("take");
  const [end] = ui.can("end");
  const [decline] = ui.can("decline");
  if (end && ui.local.sure) {
    return html`<p class="telling sure" role="alert">${ui.t("puppet-sure")}</p><div class="go"><button
        class="button quiet" @click=${() => ui.set({ sure: false })}>${ui.t("puppet-back")}</button>
      <button class="button" @click=${() => ui.play(end)}>${ui.t("puppet-sure-yes")}</button></div>`;
  }
  return html`<div class="act effect ${
    s.used && p.phase === "acting" ? "done" : ""
  }"><h3>${p.card ? icon(p.card) : nothing}${ui.t("puppet-act-effect")}</h3><div>${effect(p)}</div></div>
    ${
      decline
        ? nothing
        : html`
          <div class="act good ${takes.length ? "" : "done"}"><h3>${ui.t("puppet-act-good")}</h3><div>${
            takes.length
              ? takes.map((move) => button(ui, move, html`${chip(move.args.good)}+1`, "chip-button"))
              : done(ui)
          }</div></div>
          <div class="act build ${s.bought ? "done" : ""}"><h3>${ui.t("puppet-act-building")}</h3><div>${
            s.bought
              ? done(ui)
              : buys.length
                ? buys.map((move) =>
                    button(
                      ui,
                      move,
                      html`${icon(move.args.building)}${ui.t(`puppet-building-${move.args.building}`)}`,
                      "small",
                    ),
                  )
                : html`<span class="quiet">${ui.t("puppet-building-none-now")}</span>`
          }</div></div>`
    }
    <div class="go">${decline ? button(ui, decline, undefined, "quiet") : nothing}
      ${
        end
          ? html`<button class="button ${takes.length ? "quiet" : ""}"
            @click=${() => (takes.length ? ui.set({ sure: true }) : ui.play(end))}>${ui.order(end)}</button>`
          : nothing
      }</div>`;
}

/** @param {Ui} ui */
const done = (ui) => html`<span class="quiet">✓ ${ui.t("puppet-done")}</span>`;

/** The effect of the servant turned up, for whoever receives it. @param {Position} p */
function effect(p) {
  const { ui, s } = p;
  if (s.used && p.phase === "acting")
    return html`<span class="quiet">${
      p.fate === "stolen" ? ui.t("puppet-stolen") : html`✓ ${ui.t("puppet-done")}`
    }</span>`;
  const names = [...ui.can("kill"), ...ui.can("steal")];
  const clears = ui.can("clear");
  if (names.length)
    return html`<button class="button" @click=${() =>
      ui.set({
        naming: names.every((m) => m.args.target === names[0].args.target) ? names[0].args.target : null,
      })}>${p.card ? ui.t(`puppet-servant-${p.card}.does`) : ""} …</button>`;
  if (clears.length)
    return html`<button class="button" @click=${() => ui.set({ clearing: true })}>${ui.t(
      "puppet-servant-foundation.does",
    )} …</button>`;
  const simple = [...ui.can("gain"), ...ui.can("lead"), ...ui.can("look"), ...ui.can("offer"), ...ui.can("rob")];
  if (!simple.length) return html`<span class="quiet">${ui.t("puppet-effect-none-now")}</span>`;
  return simple.map((move) =>
    button(ui, move, drawn(p, move), move.verb === "offer" ? "small offer" : move.verb === "rob" ? "chip-button" : ""),
  );
}

/** What a move of an effect looks like on its button. @param {Position} p @param {Move} move */
function drawn(p, { verb, args }) {
  if (verb === "gain") return html`${goods(p, [[args.good, args.amount]])}`;
  if (verb === "rob") return html`${chip(args.good)}`;
  if (verb === "offer")
    return html`${args.goods.split("-").map((/** @type {string} */ good) => chip(good))} → ${chip("honour")}`;
  return undefined;
}

/** Whom, and what. @param {Position} p */
function naming(p) {
  const { ui } = p;
  const moves = [...ui.can("kill"), ...ui.can("steal")];
  const target = ui.local.naming;
  const targets = p.seats.filter((seat) => moves.some((move) => move.args.target === seat));
  return html`<div class="act"><h3>${ui.t("puppet-naming-whom")}</h3><div>${targets.map(
    (seat) =>
      html`<button class="button quiet small" aria-pressed=${target === seat}
          @click=${() => ui.set({ naming: seat })}>${ui.shield(seat, "tiny")}${ui.name(seat)}</button>`,
  )}
      <button class="button quiet small back" @click=${() =>
        ui.set({ naming: undefined })}>${ui.t("puppet-back")}</button></div></div>
    ${
      target === null
        ? nothing
        : names(
            p,
            target,
            moves.filter((move) => move.args.target === target),
          )
    }`;
}

/**
 * The servants that a seat can hold; those that the viewer can see it does not are only told.
 * @param {Position} p @param {number} target @param {Move[]} moves
 */
function names(p, target, moves) {
  const { ui } = p;
  const out = moves.map((move) => move.args.servant).filter((servant) => !p.canHold(target, servant));
  return html`<p class="telling">${ui.t("puppet-naming-which", { name: ui.name(target) })}</p>
    <div class="names">${moves
      .filter((move) => !out.includes(move.args.servant))
      .map((move) =>
        button(ui, move, html`${icon(move.args.servant)}${ui.t(`puppet-servant-${move.args.servant}`)}`, "small"),
      )}</div>
    ${
      out.length
        ? html`<p class="telling out">${ui.t("puppet-naming-out", { servants: p.names("servant", out) })}</p>`
        : nothing
    }`;
}

/** Which building goes, and whether another comes. @param {Position} p */
function clearing(p) {
  const { ui } = p;
  const moves = ui.can("clear");
  return html`<p class="telling">${ui.t("puppet-clear-which")} <button class="button quiet small back"
      @click=${() => ui.set({ clearing: false })}>${ui.t("puppet-back")}</button></p>
    ${[...new Set(moves.map((move) => move.args.building))].map(
      (building) => html`<div class="act"><h3>${icon(building)}${ui.t(`puppet-building-${building}`)}</h3><div>
      ${[1, 0]
        .flatMap((refill) => ui.can("clear", { building, refill }))
        .map((move) =>
          button(ui, move, ui.t(move.args.refill ? "puppet-clear-refill" : "puppet-clear-leave"), "small"),
        )}</div></div>`,
    )}`;
}

/** @param {Position} p */
function putting(p) {
  const { ui, s } = p;
  const event = p.events[s.known[/** @type {number} */ (p.me)][0] - 1];
  return html`<p class="telling">${icon(event)} <b>${ui.t("puppet-seen-event", { event })}</b>
      ${eventText(p, event)}</p>
    <div class="go">${ui.can("put").map((move) => button(ui, move))}</div>`;
}

/** @param {Position} p */
function taxes(p) {
  const { ui, s } = p;
  const me = /** @type {number} */ (p.me);
  return html`<div class="taxes">${p.taxed(me).map((building) => {
    const plan = s.plan[me][p.buildings.indexOf(building)];
    const [pay] = ui.can("pay", { building });
    const [forgo] = ui.can("forgo", { building });
    return html`<div class="act ${plan ? "done" : ""}"><h3>${icon(building)}${ui.t(`puppet-building-${building}`)}
          <small>${ui.t("puppet-worth", { n: p.cards.buildings[building].points })}</small></h3><div>
      ${plan ? html`<span class="quiet">✓ ${ui.order(ui.move(ui.named("plan", plan), { building }))}</span>` : nothing}
      ${
        pay
          ? button(
              ui,
              pay,
              html`${ui.t("puppet-tax")}
                ${goods(p, p.amounts(p.cards.buildings[building].tax))}`,
              "small",
            )
          : nothing
      }
      ${forgo ? button(ui, forgo, ui.t("puppet-give-up"), "quiet small") : nothing}</div></div>`;
  })}</div>`;
}
