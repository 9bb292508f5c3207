/** A table without a server: of a record, or of a game in this browser. */

/** @typedef {import("../engine/match.js").Match} Match @typedef {import("../core/api-types.js").TableInfo} TableInfo */

/** @type {import("../core/api-types.js").SeatColor[]} */
const SEAT_COLOURS = ["gules", "azure", "vert", "purpure", "tenne", "sable"];

/**
 * Return the description of a table, at which all seats are of people and none is yours.
 * @param {Match} match @param {string[]} names of the seats @returns {TableInfo}
 */
export function makeDetachedTable({ game, position, players }, names) {
  return {
    id: "",
    game: game.id,
    version: game.description.version,
    options: position.options,
    players,
    status: position.isOver ? "over" : "playing",
    private: true,
    host: false,
    help: "off",
    clock: null,
    clocks: null,
    chat_muted: true,
    seats: names.map((name, seat) => ({
      seat,
      kind: "person",
      name,
      bot: null,
      you: false,
      connected: true,
      grace_seconds: 0,
      substitute: null,
      votes: 0,
      replacement: null,
      help_consent: false,
      pledge: null,
      colour: SEAT_COLOURS[seat],
    })),
    commitment: "",
    redraws: 0,
    secret: null,
    nonces: [],
    rematch_id: null,
    review: null,
    problem: null,
    created_at: "",
  };
}
