// The description of a compiled game, as `courtly webassembly` writes it. Nothing here runs.
// What it means: `describe_rules` in courtly/engine/native/webassembly/module_compiler.py.

/** @typedef {import("../core/api-types.js").Verb} Verb */

/**
 * A field of a record: where it begins, the bytes of one number, its length along each axis, its visibility, and the
 * values that a table may choose from.
 * @typedef {{offset: number, size: 1 | 2 | 4, shape: number[], visible: "public" | "private" | "secret" | "scratch",
 *   option: number[]}} Field
 */

/**
 * A field whose changes cues name: what its number, or each number of a seat's row, counts; the moves and events whose
 * changes are named, or [] for all.
 * @typedef {{field: string, names: string[], verbs: string[], revealed_after: number[]}} Logged
 */

/**
 * @typedef {{operations: Record<"outcomes" | "happen" | "event" | "audience" | "reveals" | "scores" | "imagine",
 *   number>, rows: Record<"moves" | "weights" | "rng", number>, row_length: number, invalid_request: number,
 *   fault: number}} SinglePosition
 */

/**
 * An axis of a fact: "fixed", "players" (a list as long as there are players), "up-to" (a list that may be shorter) or
 * "keyed" (an object with some of the names).
 * @typedef {{kind: "fixed" | "players" | "up-to", length: number} | {kind: "keyed", length: number, names: string[]}
 *   } FactAxis
 */

/**
 * A field of facts: where it begins, in numbers, and what its numbers become. A "word" has `words`, a "record" the
 * `length` of one and its `fields`.
 * @typedef {{offset: number, kind: "number" | "word" | "members" | "record", axes: FactAxis[], words?: string[],
 *   length?: number, fields?: Record<string, Fact>}} Fact
 */

/**
 * The facts of a game: how many numbers of 32 bits, and what they are.
 * @typedef {{length: number, fields: Record<string, Fact>}} FactsDescription
 */

/**
 * How to call the search of a game's bots: `describe_search` in courtly/bots/webassembly.py. A game whose policy
 * computes decisions exactly has `certainty` and what follows it here, the others have the rest.
 * @typedef {{levels: Record<string, string>, trust: Record<string, number>, counted: string[], parts: string[],
 *   follows: 0 | 1,
 *   secret_phases: number[], weights_length: number, lengths: Record<string, number>, certainty?: number,
 *   notes_per_simulation?: number, max_notes?: number, aims?: [number, number]} & TreeDescription} SearchDescription
 * @typedef {{node_width: number, edge_width: number, max_moved: number, settings: Record<string, number>,
 *   masks: string[], reward_scale: number}} TreeDescription
 */

/**
 * @typedef {{format: number, game: string, version: number,
 *   record: {size: number, stored: number, fields: Record<string, Field>}, move_count: number, total_count: number,
 *   moves: Record<string, Verb>, events: Record<string, Verb>, hidden: Record<string, string>,
 *   public_args: Record<string, string[]>, refusals: string[], logged: Logged[],
 *   earlier: Record<string, Record<string, number>>,
 *   bounds: {decisions: number, events: number, moves: number}, chance: number, event_seat: number, everyone: number,
 *   silent: number, single_position: SinglePosition, facts: FactsDescription | null,
 *   entry_points: Record<string, {parameters: {name: string, operands: string[]}[]}>, search?: SearchDescription,
 *   max_seats: number, generator_length: number, row_length: number}} GameDescription
 */

export {};
