/**
 * What a game's board.js exports (docs/writing-a-game.md). Nothing here runs.
 *
 * @typedef {import("../core/api-types.js").View} View
 * @typedef {import("../core/api-types.js").Cue} Cue
 * @typedef {import("./board-context.js").Ui} Ui
 * @typedef {import("./animation.js").Kit} Kit
 * @typedef {import("lit").TemplateResult | string | typeof import("lit").nothing | undefined} Drawn
 *
 * Only `board` is needed; without a board.js the plain rendering is shown.
 * @typedef {{
 *   board?: (view: View, ui: Ui) => Drawn,
 *   seat?: (view: View, seat: number, ui: Ui) => Drawn,
 *   marks?: (view: View, seat: number, ui: Ui) => Drawn,
 *   prompt?: (view: View, ui: Ui) => string,
 *   plain?: (view: View, ui: Ui) => {heading: string, lines: string[]}[],
 *   score?: (view: View, seat: number, ui: Ui) => Drawn,
 *   choices?: string,
 *   about?: (move: import("../core/api-types.js").Move, view: View, ui: Ui) => string,
 *   outcome?: (view: View, ui: Ui) => Drawn,
 *   glyphs?: Record<string, (cue: Cue, ui: Ui) => Drawn>,
 *   ends?: string[],
 *   replies?: string[],
 *   cues?: Record<string, (cue: Cue, kit: Kit) => void>,
 * }} Board
 */
export {};
