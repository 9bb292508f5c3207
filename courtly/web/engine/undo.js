/** Which moves a seat can take back, as strictly as a server decides it. */

/** @typedef {import("./position.js").Position} Position */
/**
 * A move or event that was not taken back: `batch` is the ply of the first of the moves that were made together,
 * `before` the position before it, `changes` what it changed of what is counted.
 * @typedef {{seat: number, move: number, batch: number, audience: number, reveals: number, before: Position,
 *   changes: import("../core/api-types.js").Change[]}} DoneMove
 */
/**
 * What an undo removes and what remains: `removed` is the last batch of the seat, `remaining` all other moves,
 * `position` the position after these.
 * @typedef {{removed: DoneMove[], remaining: DoneMove[], position: Position}} Undo
 */

/**
 * Return the undo of the last batch of a seat; null if it cannot be taken back.
 *
 * It can be taken back if no other seat has acted noticeably since, no random event has happened, and its moves
 * revealed nothing hidden; and on two more conditions. First, it must not have changed the silent moves that are open
 * to other seats: an undo, even a refused one, would disclose whether they made one. Second, the silent moves that
 * others made since must also be possible before the batch, with the same audiences, and lead to the same state.
 * @param {DoneMove[]} doneMoves @param {Position} position after these @param {number} seat @returns {Undo | null}
 */
export function findUndo(doneMoves, position, seat) {
  const [first, end] = findLastBatch(doneMoves, position.game.description, seat);
  if (first === end) return null;
  const [earlier, removed, later] = [doneMoves.slice(0, first), doneMoves.slice(first, end), doneMoves.slice(end)];
  const { before } = removed[0];
  const after = removed.reduce((reached, { move }) => reached.after(seat, move), before);
  if (changesSilentMoves(before, after, seat)) return null;
  const without = replayMoves(before, later);
  if (!without) return null;
  const undo = { removed, remaining: [...earlier, ...without.doneMoves], position: without.position };
  if (!later.length) return undo;
  return replayMoves(without.position, removed)?.position.equals(position) ? undo : null;
}

/**
 * Return where the last batch of a seat begins and ends in `doneMoves`; an empty range if the batch revealed something
 * hidden, or if another seat has acted noticeably or a random event has happened since.
 * @param {DoneMove[]} doneMoves @param {import("./description.js").GameDescription} description @param {number} seat
 */
function findLastBatch(doneMoves, { event_seat, silent }, seat) {
  const isUnnoticed = (/** @type {DoneMove} */ { seat, audience, reveals }) =>
    audience >= 0 && (audience & silent) !== 0 && (reveals & ~(1 << seat)) === 0;
  let end = doneMoves.length;
  while (end && ![seat, event_seat].includes(doneMoves[end - 1].seat) && isUnnoticed(doneMoves[end - 1])) end--;
  let first = end;
  while (first && doneMoves[first - 1].seat === seat && doneMoves[first - 1].batch === doneMoves[end - 1].batch) {
    first--;
    if (doneMoves[first].reveals) return [0, 0];
  }
  return [first, end];
}

/**
 * Return whether silent moves are open to another seat after the moves of a seat that were not all open before.
 * @param {Position} before @param {Position} after @param {number} seat
 */
function changesSilentMoves(before, after, seat) {
  return after.pending.some((other) => {
    const open = after.legal(other);
    return (
      other !== seat &&
      open.some((move) => after.isSilent(other, move)) &&
      JSON.stringify(open) !== JSON.stringify(before.legal(other))
    );
  });
}

/**
 * Return these moves as made from this position on, and the position after them; null if one of them is not legal or
 * has another audience.
 * @param {Position} position @param {DoneMove[]} moves
 */
function replayMoves(position, moves) {
  /** @type {DoneMove[]} */
  const doneMoves = [];
  for (const doneMove of moves) {
    const { seat, move, audience, reveals } = doneMove;
    if (!position.legal(seat).includes(move)) return null;
    if (position.audience(seat, move) !== audience || position.reveals(seat, move) !== reveals) return null;
    doneMoves.push({ ...doneMove, before: position });
    position = position.after(seat, move);
  }
  return { doneMoves, position };
}
