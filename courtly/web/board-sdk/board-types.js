/**
 * Types of what a game's board.js exports (docs/writing-a-game.md).
 *
 * @typedef {import("../core/api-types.js").View} View
 * @typedef {import("../core/api-types.js").Cue} Cue
 * @typedef {import("./board-context.js").BoardContext} BoardContext
 * @typedef {import("./animation.js").AnimationKit} AnimationKit
 * @typedef {import("lit").TemplateResult | string | typeof import("lit").nothing | undefined} Renderable
 *
 * Only `board` is required. A game without board.js gets the plain rendering.
 * @typedef {{
 *   board?: (view: View, ui: BoardContext) => Renderable,
 *   seat?: (view: View, seat: number, ui: BoardContext) => Renderable,
 *   marks?: (view: View, seat: number, ui: BoardContext) => Renderable,
 *   prompt?: (view: View, ui: BoardContext) => string,
 *   plain?: (view: View, ui: BoardContext) => {heading: string, lines: string[]}[],
 *   moveText?: (move: import("../core/api-types.js").Move, view: View, ui: BoardContext) => string | undefined,
 *   cueText?: (cue: Cue, ui: BoardContext, cues: Cue[]) => string | undefined,
 *   score?: (view: View, seat: number, ui: BoardContext) => Renderable,
 *   choices?: string,
 *   targets?: string,
 *   wideSeats?: boolean,
 *   about?: (move: import("../core/api-types.js").Move, view: View, ui: BoardContext, repeats: number) => string,
 *   outcome?: (view: View, ui: BoardContext) => Renderable,
 *   glyphs?: Record<string, (cue: Cue, ui: BoardContext) => Renderable>,
 *   ends?: string[],
 *   mayEnd?: string[],
 *   shared?: string[],
 *   headlines?: string[],
 *   headline?: (turns: Cue[][], at: number, ui: BoardContext) => string,
 *   completes?: Record<string, string>,
 *   replies?: string[],
 *   holds?: (view: View, ui: BoardContext) => boolean,
 *   cues?: Record<string, (cue: Cue, kit: AnimationKit) => void>,
 * }} Board
 */
export {};
