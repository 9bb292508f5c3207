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
 * A notification that an audience received. `n` is its number for this audience, from 0; `seat` is -1 for a random
 * event. If the audience may not see the move, `args` has the public arguments only, or is null. `to`: in the replay of
 * a finished game, the only seat that received the cue of an event.
 * @typedef {{n: number, seat: number, verb: string, args: Args | null, to?: number}} Cue
 */

/**
 * Everything that one seat, or a spectator, may know about a match. `seq`: how many cues the audience has received.
 * `undo`: the seat can take back its last moves. `facts`: what the rules derive from the view, if the game has a
 * `shown.py`.
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
 * A move that was looked into, and the chances once it is made; `error`: of its player's.
 * @typedef {{move: Move, chances: number[], error: number}} ExaminedMove
 */

/**
 * A decision with a choice, judged from what `seat` knew then. `ply`: its place in the journal; `goes_on`: it has
 * learned nothing since its decision before; `tallies`: the move that the search prefers, others, and in place `played`
 * what was played; `loss`: how much better the first is than that, for `seat`; `turning`: that is much, and no accident
 * of the simulations.
 * @typedef {{ply: number, seat: number, goes_on: boolean, played: number, tallies: ExaminedMove[], loss: number,
 *   error: number, turning: boolean}} Decision
 */

/**
 * How a player's chances came from where they began to where they ended: by own choices (never to be gained by, beside
 * the search's own), by those of others, and by all that nobody chose: what was drawn and what came to light. `error`:
 * of `choices`.
 * @typedef {{begin: number, choices: number, error: number, others: number, luck: number, end: number}} Balance
 */

/**
 * A finished game, analysed with so many simulations of each move; 0: its policy works decisions out. `form`: of these
 * shapes; `balances`: by seat.
 * @typedef {{form: number, game: string, version: number, players: number, simulations: number, scores: number[],
 *   decisions: Decision[], balances: Balance[]}} Review
 */

/**
 * The bot that plays in another's place, and why: that one is not compiled yet, machine code is not installed, or
 * something is wrong with it.
 * @typedef {{bot: string, why: ReviewObstacle}} Replacement
 */

/**
 * A bot that can be chosen. `ready`: it can play here; else it needs machine code. `wins`: the measured share of
 * victories of one among squires, by the number of players.
 * @typedef {{name: string, ready: boolean, wins: Record<string, number>}} BotLevel
 */

/**
 * The same without what only counts at a table.
 * @typedef {{id: string, version: number, minutes: number, colour: string, designers: string[], publishers: string[],
 *   year: number, bounds: Bounds, presets: Record<string, Record<string, number>>,
 *   earlier?: Record<string, Record<string, number>>, levels?: Levels, workshop?: boolean, test?: boolean,
 *   players: number[], hidden: boolean, board: boolean, lesson: boolean, options: Record<string, number[]>,
 *   bots: BotLevel[], help: boolean}} GameBrief
 */

/**
 * What is known of a game before it starts, and the bots that can play it, the weakest first. `help`: machine code is
 * installed here, so that people can be helped.
 * @typedef {{id: string, version: number, minutes: number, colour: string, designers: string[], publishers: string[],
 *   year: number, bounds: Bounds, presets: Record<string, Record<string, number>>,
 *   earlier?: Record<string, Record<string, number>>, levels?: Levels, workshop?: boolean, test?: boolean,
 *   players: number[], hidden: boolean, board: boolean, lesson: boolean, options: Record<string, number[]>,
 *   moves: Record<string, Verb>, events: Record<string, Verb>, fields: Record<string, Field>,
 *   components: Record<string, any>, bots: BotLevel[], help: boolean}} GameInfo
 */

/**
 * Who is asking.
 * @typedef {{id: string, name: string}} Me
 */

/**
 * How I am told that it is my turn, and the `ways` this server has, mail and hook. `confirmed`: whoever reads mail at
 * that address has said yes. `form`: of what is sent to the hook. `silent`: the hook failed so often that it is
 * switched off.
 * @typedef {{ways: string[], mail: string | null, confirmed: boolean, hook: string | null, form: string,
 *   silent: boolean}} NotificationSettings
 */

/**
 * What a link in a mail does: confirm the address, or stop.
 * @typedef {{what: string, mail: string}} MailLink
 */

/**
 * A table of mine that is not over. `pending`: who is waited for, `since` (milliseconds since 1970) when; `due`: I am.
 * @typedef {{table: TableInfo, pending: number[], since: number, due: boolean}} RunningGame
 */

/**
 * A seat of a finished game. `place`: 1 is the first, equals share one; `points`: what is counted there; both null
 * where nothing is known.
 * @typedef {{seat: number, kind: Kind, name: string, you: boolean, place: number | null,
 *   points: number | null}} SeatPlace
 */

/**
 * A finished game of mine.
 * @typedef {{table: string, game: string, players: number, ended: string, seats: SeatPlace[],
 *   next: string | null}} FinishedGame
 */

/**
 * Of my finished games of a kind: how many I won, and how many points I had on average. `people`: others than bots
 * played too.
 * @typedef {{game: string, players: number, people: boolean, played: number, won: number,
 *   points: number | null}} GameTally
 */

/**
 * My games. `after`: where the list of finished games goes on; `units`: the name of what is counted as points, by game,
 * where the game says.
 * @typedef {{running: RunningGame[], finished: FinishedGame[], after: string | null, tallies: GameTally[],
 *   units: Record<string, string>}} MyGames
 */

/**
 * Whose a link to another device is. `yours`: unfinished games that this browser would leave behind; `you`: it is mine
 * already.
 * @typedef {{name: string, games: number, yours: number, you: boolean}} IdentityLink
 */

/**
 * A link that carries a seat. `recall`: by which its maker can take the seat back.
 * @typedef {{path: string, recall: string}} SeatTicket
 */

/**
 * The seat that a link carries. `you`: it is mine already.
 * @typedef {{table: string, name: string, you: boolean}} SeatLink
 */

/**
 * A message id, and its parameters.
 * @typedef {{id: string, args: Args}} Problem
 */

/**
 * Why nothing was done.
 * @typedef {{error: Problem}} Refusal
 */

/**
 * A seat of a table. `grace`: seconds in which its player, who has gone, may come back; `votes`: for a bot to stand in;
 * `instead`: who plays in the place of its bot, if that cannot; `help`: its player says yes to help at this table;
 * `pledge`: SHA-256 of its number, empty: not sent yet, null: its client sends none; `colour`: no other seat has it.
 * @typedef {{seat: number, kind: Kind, name: string, bot: string | null, you: boolean, here: boolean, grace: number,
 *   standin: string | null, votes: number, instead: Replacement | null, help: boolean, pledge: string | null,
 *   colour: SeatColor}} Seat
 */

/**
 * So many minutes for each player, and so many seconds of every decision that cost nothing.
 * @typedef {{minutes: number, seconds: number}} LiveClock
 */

/**
 * So many days for a turn.
 * @typedef {{days: number}} DaysClock
 */

/**
 * In ms: what is left, and how much more of this decision costs nothing. `runs`: it is to move; `outs`: how often in a
 * row its time was out.
 * @typedef {{bank: number, free: number, runs: boolean, outs: number}} SeatClock
 */

/**
 * Everybody's clock at the moment `now`, in ms since 1970. A seat that a bot plays has none.
 * @typedef {{now: number, seats: (SeatClock | null)[]}} Clocks
 */

/**
 * The analysis of a finished game: may be asked for, cannot be made without machine code, is being made (so many
 * decisions are judged; `of` 0: it waits, and `ahead` others come first), could not be made, or is there.
 * @typedef {{state: "none" | "impossible" | "working" | "failed" | "ready", done: number, of: number,
 *   ahead: number}} ReviewProgress
 */

/**
 * A table as one person is told of it. `clock`: what is agreed, `clocks`: what is left while it is played; `help`: is
 * there any, all who play having said yes, or what hinders it; `quiet`: the host wants nothing said; `redraws`: how
 * often the secret and all numbers were replaced before the start; `review`: null before the end; `problem`: why a game
 * that has begun cannot be played on.
 * @typedef {{id: string, game: string, version: number, options: Record<string, number>, players: number,
 *   status: Status, private: boolean, host: boolean, help: "off" | "on" | "missing", clock: Clock | null,
 *   clocks: Clocks | null, quiet: boolean, seats: Seat[], commitment: string, redraws: number, secret: string | null,
 *   nonces: string[], next: string | null, review: ReviewProgress | null, problem: Problem | null,
 *   created: string}} TableInfo
 */

/**
 * The lobby: tables that wait for players, those that others play at, and mine; `due`: of mine, those where I am waited
 * for.
 * @typedef {{open: TableInfo[], live: TableInfo[], mine: TableInfo[], due: string[]}} Tables
 */

/**
 * A random event, and all that could have happened then, with weights. `place`: the number it is drawn by, that of the
 * event, or at tables begun by older versions its ply.
 * @typedef {{ply: number, place: number, move: number, moves: number[], weights: number[]}} RandomEvent
 */

/**
 * A view of a game that is played back: what differs from the one before, of `state` and `facts` name by name. `ply`:
 * how long the journal was then, once the game is over; `gone`: facts that are no more.
 * @typedef {{ply: number | null, changed: Record<string, any>, gone?: string[]}} ReplayMoment
 */

/**
 * All that was shown to one audience, and what it was told. `table`: of a record that somebody has brought.
 * @typedef {{cues: Cue[], moments: ReplayMoment[], table?: TableInfo}} Replay
 */

/**
 * What somebody said, and when (milliseconds since 1970, no two at the same). `seat`: null for who looked on; `by`:
 * whom this reader may know again at every table; `courtesy`: one of those that the reader's page has in words, else
 * `text` is there.
 * @typedef {{at: number, seat: number | null, name: string, by: string, you: boolean, courtesy: CannedMessage | null,
 *   text: string | null}} ChatMessage
 */

/**
 * The last that was said, or the last before a time, the oldest first. `more`: there is something before.
 * @typedef {{sayings: ChatMessage[], more: boolean}} ChatPage
 */

/**
 * A step of a lesson: what was done in each step up to it, how many there are, the step in which its position was
 * given, the text that is said and the keys of what is shown, whether something is asked, whether something else was
 * done, the move that is suggested, and what the table is told.
 * @typedef {{done: number[][], steps: number, since: number, say: string, show: string[], asks: boolean,
 *   astray: boolean, next: Move | null, table: TableInfo, view: View, foreseen: View | null}} LessonStep
 */

/**
 * What is known of the table has changed.
 * @typedef {{type: "table", table: TableInfo}} TableMessage
 */

/**
 * What one of the listener's audiences sees has changed.
 * @typedef {{type: "view", view: View}} ViewMessage
 */

/**
 * Time runs for others now.
 * @typedef {{type: "clocks", clocks: Clocks}} ClocksMessage
 */

/**
 * The last that was said, in place of what was told before.
 * @typedef {{type: "talk", sayings: ChatMessage[], more: boolean}} ChatPageMessage
 */

/**
 * Somebody has said something.
 * @typedef {{type: "said", saying: ChatMessage}} ChatMessageAdded
 */

/**
 * The command with this key is kept.
 * @typedef {{type: "done", key: string}} CommandDone
 */

/**
 * What the seat would see, had it made the moves it asked about with this key.
 * @typedef {{type: "foreseen", key: string, view: View}} MovesPreview
 */

/**
 * A command, the one with this key if it had any, was refused.
 * @typedef {{type: "error", key?: string, error: Problem}} ErrorMessage
 */

/**
 * The page is older than the server's files, which have this hash.
 * @typedef {{type: "page", hash: string}} NewerPage
 */

/**
 * The answer to a ping: the connection is alive.
 * @typedef {{type: "pong"}} Pong
 */

/**
 * The tables of the lobby have changed.
 * @typedef {{type: "tables", open: TableInfo[], live: TableInfo[], mine: TableInfo[], due: string[]}} TablesMessage
 */
export {};
