// Written by tools/shapes.py from schemas.py of courtly/engine, /review and /session. Nothing here runs.
// What they mean: docs/protocol.md.

/** @typedef {Record<string, any>} Args */
/** @typedef {number | string} Value */
/** @typedef {"open" | "person" | "bot" | "local"} Kind */
/** @typedef {"waiting" | "playing" | "over"} Status */
/** @typedef {"compiling" | "missing" | "broken"} ReviewObstacle */
/** @typedef {"gules" | "azure" | "vert" | "purpure" | "tenne" | "sable"} SeatColor */
/** @typedef {"hello" | "moment" | "sorry" | "back" | "no-hurry" | "good-move" | "thanks" | "luck" | "oops" | "well-played" | "bye" | "again"} CannedMessage */
/** @typedef {LiveClock | DaysClock} Clock */
/** @typedef {TableMessage | ViewMessage | ClocksMessage | ChatPageMessage | ChatMessageAdded | CommandDone | MovesPreview | ErrorMessage | NewerPage | Pong | TablesMessage} FromServer */

/**
 * A move or random event: its number, its verb and its arguments.
 * @typedef {{id: number, verb: string, args: Args}} Move
 */

/**
 * By how much a move or event changed something that a seat counts, such as its points: see LOGGED of `facts.py`.
 * `revealed`: `n` is not a change but the number itself, which became known.
 * @typedef {{seat: number, name: string, n: number, revealed?: boolean}} Change
 */

/**
 * A notification that an audience received. `n` is its number for this audience, from 0; `seat` is -1 for a random
 * event. If the audience may not see the move, `args` has the public arguments only, or is null. `changes`: what the
 * log says about amounts; missing if there is nothing. `to`: in the replay of a finished game, the only seat that
 * received the cue of an event.
 * @typedef {{n: number, seat: number, verb: string, args: Args | null, changes?: Change[], to?: number}} Cue
 */

/**
 * Everything that one seat, or a spectator, may know about a match. `seq`: how many cues the audience has received.
 * `undo`: the seat can take back its last moves. `facts`: what the rules derive from the view, if the game has a
 * `facts.py`.
 * @typedef {{seat: number | null, state: Record<string, any>, pending: number[], legal: Move[], seq: number,
 *   undo: boolean, over: boolean, scores: number[] | null, cues: Cue[], facts?: Record<string, any>}} View
 */

/**
 * A message about a move: its id, and its parameters.
 * @typedef {{id: string, args: Args}} Reason
 */

/**
 * A good move, with the estimated chance to win after it and the margin of error, both in thousandths. `wins` is None
 * if no chance is known: then the hint is the squire's move.
 * @typedef {{move: Move, wins: number | null, margin: number, reasons: Reason[]}} Hint
 */

/**
 * An evaluation of a view: each seat's estimated chance to win and the margin of error, in thousandths, and the best
 * moves, best first. `counted`: the chances were counted in simulated games; else they were computed. If `wins` is
 * empty, the chances are unknown and the squire's move is the only hint.
 * @typedef {{wins: number[], margin: number, counted: boolean, hints: Hint[]}} Advice
 */

/**
 * The values that an argument of a verb may have. `seat`: the values are seats.
 * @typedef {{values: Value[], seat: boolean}} Argument
 */

/**
 * A verb of the game: `first` is the number of its first move; the others follow, argument by argument.
 * @typedef {{first: number, args: Record<string, Argument>}} Verb
 */

/**
 * A field of the state: its length along each axis, its visibility, the axes (a length or the names), and the names of
 * its numbers, from 0, if they have names.
 * @typedef {{shape: number[], visible: "public" | "private", axes: (number | Value[])[], names?: string[]}} Field
 */

/**
 * Upper bounds for any match with any options: its decisions, its random events, the legal moves of one decision.
 * @typedef {{decisions: number, events: number, moves: number}} Bounds
 */

/**
 * The strengths of the bots: the page overlooks a move once in `page` decisions; the others are the numbers of
 * simulations of their search.
 * @typedef {{page?: number, knight?: number, master?: number}} Levels
 */

/**
 * An examined move, and the chances after it. `error`: of the chance of its player; `reasons`: for and against the best
 * and the played move, if the played one is clearly worse.
 * @typedef {{move: Move, chances: number[], error: number, reasons: Reason[]}} ExaminedMove
 */

/**
 * A decision with a choice, judged from what `seat` knew then. `ply`: its place in the journal; `goes_on`: the seat has
 * learned nothing since its previous decision; `tallies`: the move that the search prefers and others, with the played
 * move at the index `played`; `loss`: how much higher the chance of `seat` is with the first move than with the played
 * one; `turning`: the loss is large and statistically significant.
 * @typedef {{ply: number, seat: number, goes_on: boolean, played: number, tallies: ExaminedMove[], loss: number,
 *   error: number, turning: boolean}} Decision
 */

/**
 * How a player's chance changed from the begin of the game to its end: by own choices (at most 0, because the search's
 * choices are the reference), by choices of others, and by luck: random events and disclosed information. `error`: of
 * `choices`.
 * @typedef {{begin: number, choices: number, error: number, others: number, luck: number, end: number}} Balance
 */

/**
 * The analysis of a finished game, with `simulations` of each move; 0 if the policy of the game solves decisions
 * exactly. `form`: the version of this format; `balances`: by seat.
 * @typedef {{form: number, game: string, version: number, players: number, simulations: number, scores: number[],
 *   decisions: Decision[], balances: Balance[]}} Review
 */

/**
 * The bot that plays instead of another one, and why: the other bot is not compiled yet, machine code is not installed,
 * or the bot is broken.
 * @typedef {{bot: string, reason: ReviewObstacle}} Replacement
 */

/**
 * A bot that players can choose. `ready`: it can play here; else it needs machine code. `wins`: by the number of
 * players, the measured share of games that one of them wins against squires.
 * @typedef {{name: string, ready: boolean, wins: Record<string, number>}} BotLevel
 */

/**
 * The same as GameInfo, without the details that only a table needs.
 * @typedef {{id: string, version: number, minutes: number, colour: string, designers: string[], publishers: string[],
 *   year: number, bounds: Bounds, presets: Record<string, Record<string, number>>,
 *   earlier?: Record<string, Record<string, number>>, levels?: Levels, workshop?: boolean, test?: boolean,
 *   players: number[], hidden: boolean, board: boolean, lesson: boolean, options: Record<string, number[]>,
 *   bots: BotLevel[], help_available: boolean}} GameBrief
 */

/**
 * What is known about a game before play starts, and the bots that can play it, weakest first. `help_available`:
 * players can get hints, from the server or from their browsers.
 * @typedef {{id: string, version: number, minutes: number, colour: string, designers: string[], publishers: string[],
 *   year: number, bounds: Bounds, presets: Record<string, Record<string, number>>,
 *   earlier?: Record<string, Record<string, number>>, levels?: Levels, workshop?: boolean, test?: boolean,
 *   players: number[], hidden: boolean, board: boolean, lesson: boolean, options: Record<string, number[]>,
 *   moves: Record<string, Verb>, events: Record<string, Verb>, fields: Record<string, Field>,
 *   components: Record<string, any>, bots: BotLevel[], help_available: boolean}} GameInfo
 */

/**
 * A game that can be played without a server. `titles`: its title in each language. `board_files`: the files of its
 * board, from the folder of all files, which a page can load before it needs them.
 * @typedef {{id: string, lesson: boolean, titles: Record<string, string>, board_files: string[]}} OfflineGame
 */

/**
 * The guest who sent the request.
 * @typedef {{id: string, name: string}} Me
 */

/**
 * How the server notifies me when it is my turn, and the `channels` that it supports: email and webhook.
 * `email_confirmed`: the owner of the address has confirmed it. `webhook_format`: the format of its messages.
 * `webhook_disabled`: the webhook failed so often that it is switched off.
 * @typedef {{channels: string[], email: string | null, email_confirmed: boolean, webhook: string | null,
 *   webhook_format: string, webhook_disabled: boolean}} NotificationSettings
 */

/**
 * What a link in a mail does: confirm the address, or stop the mails.
 * @typedef {{action: string, email: string}} MailLink
 */

/**
 * A table of mine that is not over. `pending`: the seats that must move, `waiting_since` when (milliseconds since
 * 1970). `due`: I must move.
 * @typedef {{table: TableInfo, pending: number[], waiting_since: number, due: boolean}} RunningGame
 */

/**
 * A seat of a finished game. `place`: 1 is the first, equal scores share one. `points`: as the game counts them. Both
 * are null if they are unknown.
 * @typedef {{seat: number, kind: Kind, name: string, you: boolean, place: number | null,
 *   points: number | null}} SeatPlace
 */

/**
 * A finished game of mine.
 * @typedef {{table: string, game: string, players: number, ended_at: string, seats: SeatPlace[],
 *   rematch_id: string | null}} FinishedGame
 */

/**
 * The statistics of my finished games of a kind: how many I won, and my mean points. `people`: other players than bots
 * took part.
 * @typedef {{game: string, players: number, people: boolean, played: number, won: number,
 *   points: number | null}} GameTally
 */

/**
 * My games. `after`: the key of the next page of finished games. `units`: by game, the name of its points, if it has
 * one.
 * @typedef {{running: RunningGame[], finished: FinishedGame[], after: string | null, tallies: GameTally[],
 *   units: Record<string, string>}} MyGames
 */

/**
 * The owner of a link that moves an identity to another device. `games_left_behind`: the unfinished games of this
 * browser that would be left behind. `you`: it is my own identity already.
 * @typedef {{name: string, games: number, games_left_behind: number, you: boolean}} IdentityLink
 */

/**
 * A link that moves a seat. `reclaim_token`: the token by which its maker can take the seat back.
 * @typedef {{path: string, reclaim_token: string}} SeatTicket
 */

/**
 * The seat that a link moves. `you`: it is mine already.
 * @typedef {{table: string, name: string, you: boolean}} SeatLink
 */

/**
 * A message id, and its parameters.
 * @typedef {{id: string, args: Args}} Problem
 */

/**
 * The reason why a request was refused. Nothing was changed.
 * @typedef {{error: Problem}} Refusal
 */

/**
 * A seat of a table. `grace_seconds`: the seconds in which its absent player may come back. `votes`: the number of
 * votes for a substitute. `replacement`: the bot that plays if the seat's own bot cannot. `help_consent`: its player
 * agrees to hints at this table. `pledge`: the SHA-256 of its number; empty if it is not sent yet, null if its client
 * sends none. `colour`: no other seat has it.
 * @typedef {{seat: number, kind: Kind, name: string, bot: string | null, you: boolean, connected: boolean,
 *   grace_seconds: number, substitute: string | null, votes: number, replacement: Replacement | null,
 *   help_consent: boolean, pledge: string | null, colour: SeatColor}} Seat
 */

/**
 * The minutes of each player's bank, and the free seconds of each decision.
 * @typedef {{minutes: number, seconds: number}} LiveClock
 */

/**
 * The days for a turn.
 * @typedef {{days: number}} DaysClock
 */

/**
 * The remaining bank and the remaining free time of this decision, in ms. `runs`: the seat must move. `timeouts`: the
 * number of its consecutive timeouts.
 * @typedef {{bank: number, free: number, runs: boolean, timeouts: number}} SeatClock
 */

/**
 * All clocks at the moment `now`, in ms since 1970. A seat that a bot plays has none.
 * @typedef {{now: number, seats: (SeatClock | null)[]}} Clocks
 */

/**
 * The analysis of a finished game. "none": it can be requested. "impossible": it needs machine code. "working":
 * `judged` of `total` decisions are judged; `total` is 0 while it waits, and `ahead` is the number of other reviews
 * before it. "failed": it could not be made. "ready": it can be read.
 * @typedef {{state: "none" | "impossible" | "working" | "failed" | "ready", judged: number, total: number,
 *   ahead: number}} ReviewProgress
 */

/**
 * A table as one guest sees it. `clock`: the agreed terms. `clocks`: the remaining times, while it is played. `help`:
 * whether hints are available ("on" if all players have agreed; "missing" if nothing can compute them). `chat_muted`:
 * the host has muted the chat. `redraws`: how often the secret and all numbers were replaced before the start.
 * `review`: null before the end. `problem`: why a game that has begun cannot be continued.
 * @typedef {{id: string, game: string, version: number, options: Record<string, number>, players: number,
 *   status: Status, private: boolean, host: boolean, help: "off" | "on" | "missing", clock: Clock | null,
 *   clocks: Clocks | null, chat_muted: boolean, seats: Seat[], commitment: string, redraws: number,
 *   secret: string | null, nonces: string[], rematch_id: string | null, review: ReviewProgress | null,
 *   problem: Problem | null, created_at: string}} TableInfo
 */

/**
 * The lobby: tables that wait for players, tables that others play at, and mine. `due`: those of mine where I must
 * move.
 * @typedef {{open: TableInfo[], live: TableInfo[], mine: TableInfo[], due: string[]}} Tables
 */

/**
 * A random event, and all events that were possible, with weights. `draw`: the number of its draw, which is that of the
 * event, or its ply at tables opened by older versions.
 * @typedef {{ply: number, draw: number, move: number, moves: number[], weights: number[]}} RandomEvent
 */

/**
 * A view in a replay: the differences from the previous one, in `state` and `facts` by key. `ply`: the length of the
 * journal, once the game is over.
 * @typedef {{ply: number | null, changed: Record<string, any>}} ReplayMoment
 */

/**
 * All views and cues of one viewpoint. `table`: for a record that a guest has uploaded.
 * @typedef {{cues: Cue[], moments: ReplayMoment[], table?: TableInfo}} Replay
 */

/**
 * A chat message, and `sent_at` (milliseconds since 1970, unique at the table). `seat`: null for spectators. `author`:
 * a pseudonym by which this reader can recognize the sender at every table. `canned_message`: a canned message, which
 * the page translates; else `text` is set.
 * @typedef {{sent_at: number, seat: number | null, name: string, author: string, you: boolean,
 *   canned_message: CannedMessage | null, text: string | null}} ChatMessage
 */

/**
 * The newest chat messages, or the newest before a time, oldest first. `more`: there are older ones.
 * @typedef {{messages: ChatMessage[], more: boolean}} ChatPage
 */

/**
 * A step of a lesson. `done`: the moves made in each step up to this one. `steps`: the number of steps.
 * `position_step`: the step that gave the position. `text_key`: the key of its text. `highlights`: the keys of the
 * highlighted elements. `expects_move`: the step asks for a move. `off_script`: the learner has made other moves than
 * the lesson asks for. `suggested_move`: the move that the text suggests. `table`, `view`, `preview`: as at a table.
 * @typedef {{done: number[][], steps: number, position_step: number, text_key: string, highlights: string[],
 *   expects_move: boolean, off_script: boolean, suggested_move: Move | null, table: TableInfo, view: View,
 *   preview: View | null}} LessonStep
 */

/**
 * The description of the table has changed.
 * @typedef {{type: "table", table: TableInfo}} TableMessage
 */

/**
 * The view of one of this client's audiences has changed.
 * @typedef {{type: "view", view: View}} ViewMessage
 */

/**
 * The times of the clocks, after time began to run for other seats.
 * @typedef {{type: "clocks", clocks: Clocks}} ClocksMessage
 */

/**
 * The newest chat messages, which replace all earlier ones.
 * @typedef {{type: "chat_page", messages: ChatMessage[], more: boolean}} ChatPageMessage
 */

/**
 * A new chat message.
 * @typedef {{type: "chat_message", message: ChatMessage}} ChatMessageAdded
 */

/**
 * The command with this key is stored.
 * @typedef {{type: "done", key: string}} CommandDone
 */

/**
 * The view that the seat would have after the moves of the request with this key.
 * @typedef {{type: "preview", key: string, view: View}} MovesPreview
 */

/**
 * A command was refused: the one with this key, if it had any.
 * @typedef {{type: "error", key?: string, error: Problem}} ErrorMessage
 */

/**
 * The page is older than the server's files, which have this hash.
 * @typedef {{type: "page", hash: string}} NewerPage
 */

/**
 * The answer to a ping, which shows that the connection is alive.
 * @typedef {{type: "pong"}} Pong
 */

/**
 * The tables of the lobby have changed.
 * @typedef {{type: "tables", open: TableInfo[], live: TableInfo[], mine: TableInfo[], due: string[]}} TablesMessage
 */
export {};
