/**
 * The shapes that travel between server, shell and boards (docs/protocol.md, docs/writing-a-game.md). Nothing here runs.
 *
 * @typedef {Record<string, any>} Args
 * @typedef {{id: number, verb: string, args: Args}} Move
 * @typedef {{n: number, seat: number, verb: string, args: Args | null}} Cue
 * @typedef {{seat: number | null, seq: number, state: Record<string, any>, pending: number[], legal: Move[], undo: boolean,
 *   over: boolean, scores: number[] | null, cues: Cue[]}} View
 *
 * @typedef {{values: (string | number)[], seat: boolean}} Argument
 * @typedef {{first: number, args: Record<string, Argument>}} Verb
 * @typedef {{id: string, version: number, players: number[], options: Record<string, number[]>,
 *   presets: Record<string, Record<string, number>>, minutes: number, colour: string, designers: string[], publishers: string[],
 *   year: number, bots: string[], hidden: boolean, moves: Record<string, Verb>, events: Record<string, Verb>,
 *   fields: Record<string, {shape: number[], axes: (number | (string | number)[])[], visible: string}>,
 *   components: Record<string, any>}} About
 *
 * @typedef {{seat: number, kind: "open" | "person" | "bot" | "local", name: string, bot: string | null, you: boolean, here: boolean,
 *   standin: string | null, votes: number, grace?: number}} Seat
 * @typedef {{id: string, game: string, version: number, options: Record<string, number>, players: number,
 *   status: "waiting" | "playing" | "over", private: boolean, host: boolean, seats: Seat[], commitment: string,
 *   secret: string | null, nonces: string[], created: string, next: string | null,
 *   problem?: {id: string, args: Args} | null}} Table
 * @typedef {{open: Table[], mine: Table[], live: Table[]}} Tables
 *
 * @typedef {import("lit").TemplateResult | string | typeof import("lit").nothing | undefined} Drawn
 * @typedef {import("./ui.js").Ui} Ui
 * @typedef {import("./motion.js").Kit} Kit
 *
 * What a game's board.js exports. Only `board` is needed; without a board.js the plain rendering is shown.
 * @typedef {{
 *   board?: (view: View, ui: Ui) => Drawn,
 *   seat?: (view: View, seat: number, ui: Ui) => Drawn,
 *   prompt?: (view: View, ui: Ui) => string,
 *   plain?: (view: View, ui: Ui) => {heading: string, lines: string[]}[],
 *   score?: (view: View, seat: number, ui: Ui) => Drawn,
 *   choices?: string,
 *   outcome?: (view: View, ui: Ui) => Drawn,
 *   glyphs?: Record<string, (cue: Cue, ui: Ui) => Drawn>,
 *   ends?: string[],
 *   replies?: string[],
 *   cues?: Record<string, (cue: Cue, kit: Kit) => void>,
 * }} Board
 */
export {};
