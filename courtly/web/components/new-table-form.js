/**
 * The form that opens a table: players and rules. Its defaults are playable: one more click starts a game against bots.
 */
import { html, nothing } from "lit";
import { saveBotChoice, renderBotLevels, getDefaultBot } from "./bot-picker.js";
import { getPreferredColour } from "./seat-color-picker.js";
import { showError, openDialog, redrawDialogs } from "./dialogs.js";
import { renderShield } from "../board-sdk/seat-shield.js";
import { renderUiIcon } from "../board-sdk/ui-icons.js";
import { request } from "../core/http-client.js";
import { renderChoice } from "./preferences-panel.js";
import { renderCredits } from "./rules/rules.js";
import { saveSetting, getSetting } from "../core/user-settings.js";
import { formatTimeControl, explainTimeControl } from "./time-control.js";
import { hasText, t } from "../core/i18n.js";
import { lessonUrl, rulesUrl } from "../core/page-address.js";

/**
 * @typedef {import("../core/api-types.js").GameInfo} About
 * @typedef {{kind: string, bot?: string, name?: string}} SeatChoice
 */

/**
 * The available clocks, by the value of the setting that stores the choice.
 * @type {Record<string, import("../core/api-types.js").Clock>}
 */
const CLOCK_CHOICES = {
  "5+15": { minutes: 5, seconds: 15 },
  "10+30": { minutes: 10, seconds: 30 },
  "1d": { days: 1 },
  "3d": { days: 3 },
};

/**
 * @param {About} about @param {{name: string}} me
 * @param {() => unknown} [renderWaitingTables] tables of this game that wait for players
 * @param {((form: NewTableForm) => void) | null} [startLocally] begins a local game, which other people cannot
 * join
 */
export function openNewTableDialog(about, me, renderWaitingTables = () => nothing, startLocally = null) {
  const players = about.players.find((n) => n >= 3) ?? about.players[0];
  /** @type {NewTableForm} */
  const form = {
    about,
    me,
    renderWaitingTables,
    startLocally,
    preset: Object.keys(about.presets)[0] ?? "",
    options: /** @type {Record<string, number>} */ ({}),
    private: false,
    help: /** @type {boolean | null} */ (null), // null: the default for these players
    isBusy: false,
    seats: createSeatChoices(about, players, []),
  };
  openDialog(
    `new-table ${about.colour}`,
    () => t(about.id),
    () => renderForm(form),
  );
}

/** @param {About} about @param {number} players @param {SeatChoice[]} before @returns {SeatChoice[]} */
const createSeatChoices = (about, players, before) =>
  Array.from(
    { length: players },
    (_, i) => before[i] ?? (i === 0 ? { kind: "me" } : { kind: "bot", bot: getDefaultBot(about) }),
  );

/**
 * @typedef {{about: About, me: {name: string}, renderWaitingTables: () => unknown, startLocally: ((form: NewTableForm)
 * => void) | null,
 *   preset: string, options: Record<string, number>, private: boolean, help: boolean | null, isBusy: boolean,
 *   seats: SeatChoice[]}} NewTableForm
 */

/** @param {NewTableForm} form */
function renderForm(form) {
  const { about } = form;
  const set = (/** @type {Partial<NewTableForm>} */ patch) => {
    Object.assign(form, patch);
    redrawDialogs();
  };
  const open = form.seats.some((seat) => seat.kind === "open");
  const bots = form.seats.flatMap(({ bot }) => bot ?? []);
  return html`
    ${hasText(`${about.id}.tagline`) ? html`<p class="tagline">${t(`${about.id}.tagline`)}</p>` : nothing}
    ${form.renderWaitingTables()}
    ${renderChoice(
      t("players"),
      about.players.map((n) => [String(n), String(n)]),
      String(form.seats.length),
      (n) => set({ seats: createSeatChoices(about, Number(n), form.seats) }),
    )}
    <ul class="seat-list">${form.seats.map((seat, i) => renderSeatRow(form, seat, i))}</ul>
    ${renderBotLevels(about, bots, form.seats.length)}
    ${form.startLocally ? nothing : renderAgreement(form, set)}
    ${renderOptions(form, set)}
    <p class="reading"><a class="read" href=${rulesUrl(about.id)} target="_blank">${renderUiIcon("book")}
    ${t("rules-of", { title: t(about.id) })}</a>${
      about.lesson
        ? html` <a class="read" href=${lessonUrl(about.id)}
        aria-label=${t("lesson-of", { title: t(about.id) })}>${renderUiIcon("hint")} ${t("lesson")}</a>`
        : nothing
    }</p>
    ${renderCredits(about)}
    <div class="at-hand"><button class="button play" ?disabled=${form.isBusy} autofocus
        @click=${() => (form.startLocally ?? createTable)(form)}>${open ? t("open-table") : t("play")}</button></div>`;
}

/**
 * Render what the players agree on: visibility, clock, help.
 * @param {NewTableForm} form @param {(patch: Partial<NewTableForm>) => void} set
 */
function renderAgreement(form, set) {
  const { about } = form;
  return html`<label class="check"><input type="checkbox" .checked=${form.private}
      @change=${(/** @type {any} */ event) => set({ private: event.target.checked })}>
      <span>${t("private-table")}</span></label>
    <label class="check"><input type="checkbox" .checked=${hasHelp(form)} ?disabled=${!about.help_available}
      @change=${(/** @type {any} */ event) => set({ help: event.target.checked })}>
      <span>${t("help-at-table")}${
        about.help_available && isSolo(form)
          ? nothing
          : html` <small>${t(about.help_available ? "help-all" : "error-no-machine-code")}</small>`
      }</span></label>
    ${isSolo(form) ? nothing : renderClockChoice()}`;
}

/** Return whether one person plays against bots. @param {NewTableForm} form */
const isSolo = (form) => form.seats.every(({ kind }) => kind === "me" || kind === "bot");

/** Render the choice of a clock, for games between people. The choice is stored. */
function renderClockChoice() {
  const choice = CLOCK_CHOICES[getSetting("clock")];
  /** @type {[string, string][]} */
  const choices = Object.entries(CLOCK_CHOICES).map(([key, clock]) => [key, formatTimeControl(clock)]);
  return renderChoice(
    t("clock"),
    [["", t("clock-none")], ...choices],
    choice ? getSetting("clock") : "",
    (key) => saveSetting("clock", key),
    choice ? explainTimeControl(choice) : "",
  );
}

/** Return whether hints are on. The default is on against bots and off among people. @param {NewTableForm} form */
const hasHelp = (form) => form.about.help_available && (form.help ?? isSolo(form));

/** @param {NewTableForm} form @param {SeatChoice} seat @param {number} i */
function renderSeatRow(form, seat, i) {
  const { about } = form;
  const value = seat.kind === "bot" ? `bot-${seat.bot}` : seat.kind;
  /** @type {[string, string, boolean?][]} */
  const kinds = [
    ["me", t("seat-me")],
    ...about.bots.map(
      ({ name, ready }) => /** @type {any} */ ([`bot-${name}`, t("seat-bot", { bot: t(`bot-${name}`) }), !ready]),
    ),
    ...(form.startLocally ? [] : [/** @type {[string, string]} */ (["open", t("seat-open-choice")])]),
    ["local", t("seat-local")],
  ];
  const change = (/** @type {any} */ event) => {
    const [kind, bot] = event.target.value.split("-", 2);
    if (kind === "me")
      for (const other of form.seats)
        if (other.kind === "me") Object.assign(other, { kind: "bot", bot: getDefaultBot(about) });
    if (bot) saveBotChoice(bot);
    form.seats[i] = kind === "bot" ? { kind, bot } : { kind };
    redrawDialogs();
  };
  return html`<li>${renderShield(i)}
    <select aria-label=${t("seat-number", { number: i + 1 })} @change=${change}>
      ${kinds.map(
        ([kind, text, closed]) =>
          html`<option value=${kind} ?selected=${kind === value} ?disabled=${closed}>${text}</option>`,
      )}</select>
    ${
      seat.kind === "me"
        ? html`<input aria-label=${t("your-name")} maxlength="24" placeholder=${t("name-placeholder")}
                autocomplete="nickname" .value=${form.me.name}
          @input=${(/** @type {any} */ event) => {
            form.me.name = event.target.value;
          }}>`
        : nothing
    }
    ${
      seat.kind === "local"
        ? html`<input aria-label=${t("their-name")} maxlength="24" placeholder=${t("their-name")} autocomplete="off"
                .value=${seat.name ?? ""}
          @input=${(/** @type {any} */ event) => {
            seat.name = event.target.value;
          }}>`
        : nothing
    }</li>`;
}

/**
 * Render the presets, and below them each option with its explanation.
 * @param {NewTableForm} form @param {(patch: Partial<NewTableForm>) => void} set
 */
function renderOptions(form, set) {
  const { about } = form;
  const id = about.id;
  const presets = Object.keys(about.presets);
  const decidedOptions = new Set(Object.values(about.presets).flatMap(Object.keys));
  // if the presets only name the values of a single option, they replace it
  const options = Object.entries(about.options).filter(
    ([name]) => decidedOptions.size > 1 || !decidedOptions.has(name),
  );
  if (!options.length && presets.length < 2) return nothing;
  const value = (/** @type {string} */ name) =>
    form.options[name] ?? about.presets[form.preset]?.[name] ?? about.options[name][0];
  return html`<details class="more-rules"><summary>${t("rules-options")}</summary>
    ${
      presets.length > 1
        ? renderChoice(
            t("preset"),
            presets.map((preset) => [preset, t(`${id}-preset-${preset}`)]),
            form.preset,
            (preset) => set({ preset, options: {} }),
          )
        : nothing
    }
    ${options.map(([name, values]) =>
      renderChoice(
        t(`${id}-option-${name}`),
        values.map((v) => [String(v), t(`${id}-option-${name}.value-${v}`)]),
        String(value(name)),
        (v) => set({ options: { ...form.options, [name]: Number(v) } }),
        hasText(`${id}-option-${name}.help`) ? t(`${id}-option-${name}.help`) : "",
      ),
    )}
  </details>`;
}

/**
 * Return the value of each option: chosen, or from the preset.
 * @param {NewTableForm} form
 * @returns {Record<string, number>}
 */
export const resolveOptions = ({ about, preset, options }) => ({ ...about.presets[preset], ...options });

/** @param {NewTableForm} form */
async function createTable(form) {
  form.isBusy = true;
  redrawDialogs();
  try {
    if (form.me.name.trim()) await request("PUT", "/api/me", { name: form.me.name.trim() });
    const { openTable } = await import("../core/number-exchange.js");
    const table = await openTable("/api/tables", {
      game: form.about.id,
      players: form.seats.length,
      ...(form.preset ? { preset: form.preset } : {}),
      options: form.options,
      private: form.private,
      help_consent: hasHelp(form),
      clock: isSolo(form) ? null : (CLOCK_CHOICES[getSetting("clock")] ?? null),
      ...getPreferredColour(),
      seats: form.seats.map(({ kind, bot, name }) => ({
        kind,
        ...(bot ? { bot } : {}),
        ...(name?.trim() ? { name: name.trim() } : {}),
      })),
    });
    location.href = `/t/${table.id}`;
  } catch (error) {
    form.isBusy = false;
    redrawDialogs();
    showError(error);
  }
}
