/**
 * The panel behind a door: who plays, by which rules. Its first offer is a good one: one more click plays against bots.
 */
import { html, nothing } from "lit";
import { chooseBot, levels, usualBot } from "./bot-picker.js";
import { wished } from "./seat-color-picker.js";
import { complain, dialog, redrawDialogs } from "./dialogs.js";
import { shield } from "../board-sdk/seat-shield.js";
import { mark } from "../board-sdk/ui-icons.js";
import { ask } from "../core/http-client.js";
import { choice } from "./preferences-panel.js";
import { credits } from "./rules/rules.js";
import { set as remember, setting } from "../core/user-settings.js";
import { agreed, explained } from "./time-control.js";
import { has, t } from "../core/i18n.js";

/**
 * @typedef {import("../core/api-types.js").GameInfo} About
 * @typedef {{kind: string, bot?: string, name?: string}} Chair
 */

/**
 * Clocks that are offered, by what is remembered of a choice.
 * @type {Record<string, import("../core/api-types.js").Clock>}
 */
const CLOCKS = {
  "5+15": { minutes: 5, seconds: 15 },
  "10+30": { minutes: 10, seconds: 30 },
  "1d": { days: 1 },
  "3d": { days: 3 },
};

/**
 * @param {About} about @param {{name: string}} me
 * @param {() => unknown} [waiting] tables of this game that wait for players, as they stand
 * @param {((form: Form) => void) | null} [here] begins a game without a server, at which nobody else can sit down
 */
export function newTable(about, me, waiting = () => nothing, here = null) {
  const players = about.players.find((n) => n >= 3) ?? about.players[0];
  const form = {
    about,
    me,
    waiting,
    here,
    preset: Object.keys(about.presets)[0] ?? "",
    options: /** @type {Record<string, number>} */ ({}),
    private: false,
    help: /** @type {boolean | null} */ (null), // null: as is usual, for who plays
    busy: false,
    chairs: chairs(about, players, []),
  };
  dialog(
    `new-table ${about.colour}`,
    () => t(about.id),
    () => panel(form),
  );
}

/** @param {About} about @param {number} players @param {Chair[]} before @returns {Chair[]} */
const chairs = (about, players, before) =>
  Array.from(
    { length: players },
    (_, i) => before[i] ?? (i === 0 ? { kind: "me" } : { kind: "bot", bot: usualBot(about) }),
  );

/**
 * @typedef {{about: About, me: {name: string}, waiting: () => unknown, here: ((form: Form) => void) | null,
 *   preset: string, options: Record<string, number>, private: boolean, help: boolean | null, busy: boolean,
 *   chairs: Chair[]}} Form
 */

/** @param {Form} form */
function panel(form) {
  const { about } = form;
  const set = (/** @type {Partial<Form>} */ patch) => {
    Object.assign(form, patch);
    redrawDialogs();
  };
  const open = form.chairs.some((chair) => chair.kind === "open");
  const bots = form.chairs.flatMap(({ bot }) => bot ?? []);
  return html`
    ${has(`${about.id}.tagline`) ? html`<p class="tagline">${t(`${about.id}.tagline`)}</p>` : nothing}
    ${form.waiting()}
    ${choice(
      t("players"),
      about.players.map((n) => [String(n), String(n)]),
      String(form.chairs.length),
      (n) => set({ chairs: chairs(about, Number(n), form.chairs) }),
    )}
    <ul class="seat-list">${form.chairs.map((chair, i) => chairRow(form, chair, i))}</ul>
    ${levels(about, bots, form.chairs.length)}
    ${form.here ? nothing : agreement(form, set)}
    ${settings(form, set)}
    ${
      form.here
        ? nothing
        : html`<p><a class="read" href="/rules/${about.id}" target="_blank">${mark("book")}
    ${t("rules-of", { title: t(about.id) })}</a></p>`
    }
    ${credits(about)}
    <div class="at-hand"><button class="button play" ?disabled=${form.busy} autofocus
        @click=${() => (form.here ?? create)(form)}>${open ? t("open-table") : t("play")}</button></div>`;
}

/** What people at a table agree on. @param {Form} form @param {(patch: Partial<Form>) => void} set */
function agreement(form, set) {
  const { about } = form;
  return html`<label class="check"><input type="checkbox" .checked=${form.private}
      @change=${(/** @type {any} */ event) => set({ private: event.target.checked })}>
      <span>${t("private-table")}</span></label>
    <label class="check"><input type="checkbox" .checked=${helped(form)} ?disabled=${!about.help}
      @change=${(/** @type {any} */ event) => set({ help: event.target.checked })}>
      <span>${t("help-at-table")}${
        about.help && alone(form)
          ? nothing
          : html` <small>${t(about.help ? "help-all" : "error-no-machine-code")}</small>`
      }</span></label>
    ${alone(form) ? nothing : clocks()}`;
}

/** Does one person play, against bots? @param {Form} form */
const alone = (form) => form.chairs.every(({ kind }) => kind === "me" || kind === "bot");

/** Among people there may be a clock; which, is remembered. */
function clocks() {
  const chosen = CLOCKS[setting("clock")];
  /** @type {[string, string][]} */
  const offered = Object.entries(CLOCKS).map(([key, clock]) => [key, agreed(clock)]);
  return choice(
    t("clock"),
    [["", t("clock-none")], ...offered],
    chosen ? setting("clock") : "",
    (key) => remember("clock", key),
    chosen ? explained(chosen) : "",
  );
}

/** Against bots there is help, among people only if somebody wants it. @param {Form} form */
const helped = (form) => form.about.help && (form.help ?? alone(form));

/** @param {Form} form @param {Chair} chair @param {number} i */
function chairRow(form, chair, i) {
  const { about } = form;
  const value = chair.kind === "bot" ? `bot-${chair.bot}` : chair.kind;
  /** @type {[string, string, boolean?][]} */
  const kinds = [
    ["me", t("seat-me")],
    ...about.bots.map(({ name, ready }) => /** @type {any} */ ([`bot-${name}`, t(`bot-${name}`), !ready])),
    ...(form.here ? [] : [/** @type {[string, string]} */ (["open", t("seat-open-choice")])]),
    ["local", t("seat-local")],
  ];
  const change = (/** @type {any} */ event) => {
    const [kind, bot] = event.target.value.split("-", 2);
    if (kind === "me")
      for (const other of form.chairs)
        if (other.kind === "me") Object.assign(other, { kind: "bot", bot: usualBot(about) });
    if (bot) chooseBot(bot);
    form.chairs[i] = kind === "bot" ? { kind, bot } : { kind };
    redrawDialogs();
  };
  return html`<li>${shield(i)}
    <select aria-label=${t("seat-number", { number: i + 1 })} @change=${change}>
      ${kinds.map(
        ([kind, text, closed]) =>
          html`<option value=${kind} ?selected=${kind === value} ?disabled=${closed}>${text}</option>`,
      )}</select>
    ${
      chair.kind === "me"
        ? html`<input aria-label=${t("your-name")} maxlength="24" placeholder=${t("name-placeholder")}
                autocomplete="nickname" .value=${form.me.name}
          @input=${(/** @type {any} */ event) => {
            form.me.name = event.target.value;
          }}>`
        : nothing
    }
    ${
      chair.kind === "local"
        ? html`<input aria-label=${t("their-name")} maxlength="24" placeholder=${t("their-name")} autocomplete="off"
                .value=${chair.name ?? ""}
          @input=${(/** @type {any} */ event) => {
            chair.name = event.target.value;
          }}>`
        : nothing
    }</li>`;
}

/**
 * Presets, and under them every option with its explanation.
 * @param {Form} form @param {(patch: Partial<Form>) => void} set
 */
function settings(form, set) {
  const { about } = form;
  const id = about.id;
  const presets = Object.keys(about.presets);
  const decided = new Set(Object.values(about.presets).flatMap(Object.keys));
  // where presets are but names for the values of one option, they stand for it
  const options = Object.entries(about.options).filter(([name]) => decided.size > 1 || !decided.has(name));
  if (!options.length && presets.length < 2) return nothing;
  const value = (/** @type {string} */ name) =>
    form.options[name] ?? about.presets[form.preset]?.[name] ?? about.options[name][0];
  return html`<details class="more-rules"><summary>${t("rules-options")}</summary>
    ${
      presets.length > 1
        ? choice(
            t("preset"),
            presets.map((preset) => [preset, t(`${id}-preset-${preset}`)]),
            form.preset,
            (preset) => set({ preset, options: {} }),
          )
        : nothing
    }
    ${options.map(([name, values]) =>
      choice(
        t(`${id}-option-${name}`),
        values.map((v) => [String(v), t(`${id}-option-${name}.value-${v}`)]),
        String(value(name)),
        (v) => set({ options: { ...form.options, [name]: Number(v) } }),
        has(`${id}-option-${name}.help`) ? t(`${id}-option-${name}.help`) : "",
      ),
    )}
  </details>`;
}

/** What is agreed by now, the usual where nothing was chosen. @param {Form} form @returns {Record<string, number>} */
export const agreedOptions = ({ about, preset, options }) => ({ ...about.presets[preset], ...options });

/** @param {Form} form */
async function create(form) {
  form.busy = true;
  redrawDialogs();
  try {
    if (form.me.name.trim()) await ask("PUT", "/api/me", { name: form.me.name.trim() });
    const { openTable } = await import("../game-view/number-exchange.js");
    const table = await openTable("/api/tables", {
      game: form.about.id,
      players: form.chairs.length,
      ...(form.preset ? { preset: form.preset } : {}),
      options: form.options,
      private: form.private,
      help: helped(form),
      clock: alone(form) ? null : (CLOCKS[setting("clock")] ?? null),
      ...wished(),
      seats: form.chairs.map(({ kind, bot, name }) => ({
        kind,
        ...(bot ? { bot } : {}),
        ...(name?.trim() ? { name: name.trim() } : {}),
      })),
    });
    location.href = `/t/${table.id}`;
  } catch (error) {
    form.busy = false;
    redrawDialogs();
    complain(error);
  }
}
