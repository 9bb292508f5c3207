/** Lines of the log that say more than their cue: the land of a house, its former owner, the sizes of blocks. */

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/board-context.js").BoardContext} BoardContext
 * @typedef {Record<string, any>} Args
 */

/** What the cues so far say: by seat, its land and its coloured dice; by land, the owners of its houses. */
class Past {
  constructor() {
    /** @type {Record<number, string>} */
    this.lands = {};
    /** @type {Record<number, Record<string, number>>} */
    this.dice = {};
    /** @type {Record<string, number[]>} */
    this.owners = {};
    /** @type {Record<string, number>[]} coloured dice that were rolled and whose player is not yet known */
    this.rolled = [];
  }

  /** @param {Cue} cue */
  add({ seat, verb, args }) {
    const { die, face, land, colour, player, which } = /** @type {Args} */ (args ?? {});
    const dice = this.dice[seat] ?? {};
    if (verb === "die" && die === "green") this.rolled.push({ green: face });
    else if (verb === "die" && this.rolled.length)
      Object.assign(/** @type {object} */ (this.rolled.at(-1)), { [die]: face });
    else if (verb === "go" || verb === "walk") this.#place(seat, land);
    else if (verb === "arrive") this.#place(player, land);
    else if (verb === "draft") this.dice[seat] = { ...dice, [colour]: face };
    else if (verb === "plus") dice[die]++;
    else if (verb === "swap") [dice.green, dice.black] = [dice.black, dice.green];
    else if (verb === "build") this.owners[this.lands[seat]] = [...this.#ownersHere(seat), seat];
    else if (verb === "take_over")
      this.owners[this.lands[seat]] = Object.assign(this.#ownersHere(seat), { [which === "first" ? 0 : 1]: seat });
  }

  /** @param {number} seat */
  #ownersHere(seat) {
    return this.owners[this.lands[seat]] ?? [];
  }

  /** Players are placed in the order in which their dice were rolled. @param {number} seat @param {string} land */
  #place(seat, land) {
    this.lands[seat] = land;
    const dice = this.rolled.shift();
    if (dice) this.dice[seat] = dice;
  }
}

/** Return the cues without those that were taken back. @param {Cue[]} cues */
function listRemaining(cues) {
  /** @type {Cue[]} */
  const kept = [];
  for (const cue of cues) {
    if (cue.verb !== "undo") kept.push(cue);
    else
      for (let left = Number(cue.args?.count ?? 0); left > 0; left--)
        kept.splice(
          kept.findLastIndex(({ seat }) => seat === cue.seat),
          1,
        );
  }
  return kept;
}

/**
 * What the line of a cue says in addition. It is kept, because what was before a cue never changes, and all lines are
 * formatted at each redraw.
 * @typedef {{land: string | undefined, owner: number | undefined, size: number | undefined}} Details
 * @type {WeakMap<Cue, Details>}
 */
const detailsByCue = new WeakMap();

/** @param {Cue} cue @param {Cue[]} cues of its audience, also later ones @returns {Details} */
function findDetails(cue, cues) {
  const found = detailsByCue.get(cue);
  if (found) return found;
  const past = new Past();
  for (const earlier of listRemaining(cues.filter(({ n }) => n < cue.n))) past.add(earlier);
  const { which, die } = /** @type {Args} */ (cue.args);
  const land = past.lands[cue.seat];
  const details = { land, owner: past.owners[land]?.[which === "first" ? 0 : 1], size: past.dice[cue.seat]?.[die] };
  detailsByCue.set(cue, details);
  return details;
}

/**
 * Return the text of a cue, or undefined for the usual one.
 * @param {Cue} cue @param {BoardContext} ui @param {Cue[]} cues of this audience, also later ones
 */
export function cueText(cue, ui, cues) {
  const { seat, verb, args, changes } = cue;
  if (verb === "end" && changes?.length) return ui.t("newtown-log-end", { name: ui.playerName(seat) });
  if (args && ["split", "join"].includes(verb)) {
    const { size, part } = args;
    return ui.t(`newtown-log-${verb}`, { name: ui.playerName(seat), size, part, rest: size - part });
  }
  if (!args || !["build", "extend", "take_over", "block"].includes(verb)) return undefined;
  const name = ui.playerName(seat);
  const { form, which, die } = /** @type {Args} */ (args);
  const { land, owner, size } = findDetails(cue, cues);
  if (verb === "block") return size && ui.t("newtown-log-block", { name, size, die });
  if (!land || (verb === "take_over" && owner === undefined)) return undefined;
  return ui.t(`newtown-log-${verb}`, {
    name,
    land,
    form,
    which,
    owner: owner === undefined ? "" : ui.playerName(owner),
  });
}

/**
 * Return the text of a move that divides a block or puts two together, or undefined for the usual one.
 * @param {import("../../../web/core/api-types.js").Move} move @param {unknown} _view @param {BoardContext} ui
 */
export function moveText({ verb, args }, _view, ui) {
  if (verb !== "split" && verb !== "join") return undefined;
  return ui.t(`newtown-${verb}-block`, { size: args.size, part: args.part, rest: args.size - args.part });
}
