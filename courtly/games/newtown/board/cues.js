/** Animations by verb. */
import { animateArrival, animateCount } from "./moving-in.js";

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/animation.js").AnimationKit} AnimationKit
 */

/** Return the names along an axis of a field. @param {AnimationKit} kit @param {string} field @param {number} number */
const axisNames = (kit, field, number) => /** @type {string[]} */ (kit.about.fields[field].axes[number]);

/** Moves after which a craftsman may stand elsewhere. */
const RELOCATIONS = ["go", "lawn", "roll", "move", "walk"];

/** @param {Cue} cue @param {number} seat */
const isRelocation = ({ seat: actor, verb, args }, seat) =>
  verb === "arrive" ? args?.player === seat : actor === seat && RELOCATIONS.includes(verb);

/**
 * Return the land on which a seat's craftsman stood at a cue, from the cues that came with the view; -1 if unknown.
 * @param {AnimationKit} kit @param {Cue} cue
 */
function findLand(kit, { n, seat }) {
  const { cues, state } = kit.view;
  const relocations = cues.filter((cue) => isRelocation(cue, seat));
  if (!relocations.some((cue) => cue.n > n)) return state.craftsman[seat];
  const last = relocations.findLast((cue) => cue.n < n);
  if (last) return axisNames(kit, "tree", 0).indexOf(last.args?.land);
  return kit.before?.state.craftsman[seat] ?? -1;
}

/**
 * Return the house that a move built or extended; -1 if it is not known. The page may have been loaded since.
 * @param {AnimationKit} kit @param {Cue} cue
 */
function findHouse(kit, cue) {
  const { cues, state } = kit.view;
  const land = findLand(kit, cue);
  if (land < 0) return findHouseByForm(kit, cue);
  const laterBuilds = cues.filter(({ n, verb }) => n > cue.n && verb === "build");
  const which = cue.args?.which
    ? kit.about.moves.extend.args.which.values.indexOf(cue.args.which)
    : state.houses[land] - 1 - laterBuilds.filter((later) => findLand(kit, later) === land).length;
  return 2 * land + which;
}

/**
 * Return the only house of a seat that has or had this form; -1 if there are none or several.
 * @param {AnimationKit} kit @param {Cue} cue
 */
function findHouseByForm(kit, { seat, args }) {
  const { state } = kit.view;
  const form = kit.about.moves.build.args.form.values.indexOf(args?.form);
  const houses = state.owner.flatMap((/** @type {number} */ owner, /** @type {number} */ id) =>
    owner === seat && state.wall_form[id].slice(0, state.stages[id]).includes(form) ? [id] : [],
  );
  return houses.length === 1 ? houses[0] : -1;
}

/** Return whether a house is as it was in the previous view. @param {AnimationKit} kit @param {number} id */
const isUnchanged = ({ before, view }, id) =>
  before !== null &&
  before.state.stages[id] === view.state.stages[id] &&
  before.state.owner[id] === view.state.owner[id];

/** Show a house that was built, and count up the scores. @param {AnimationKit} kit @param {number} id */
function animateHouse(kit, id) {
  if (id < 0 || isUnchanged(kit, id)) return;
  kit.animate(
    `house-${id}`,
    [
      { opacity: 0, translate: "0 -60px" },
      { opacity: 1, translate: "0 0", offset: 0.7 },
      { translate: "0 -5px", offset: 0.85 },
      { translate: "0 0" },
    ],
    800,
  );
  kit.highlight("latest", 900);
  animateScores(kit);
  kit.delay(300);
}

/** @param {AnimationKit} kit */
function animateScores(kit) {
  for (let seat = 0; seat < kit.view.state.players; seat++) {
    const was = kit.before?.state.score[seat] ?? 0;
    if (was !== kit.view.state.score[seat]) kit.countFrom(`points-${seat}`, was);
  }
}

/** Count up the scores, after the last move with what is counted at the end. @param {AnimationKit} kit */
function animateEnd(kit) {
  if (kit.view.over) animateCount(kit);
  else animateScores(kit);
}

/** @type {Record<string, (cue: Cue, kit: AnimationKit) => void>} */
export const cues = {
  starter: ({ args }, kit) => kit.highlight(`seat-${args?.player}`, 1400),
  die: ({ args }, kit) => kit.roll(`die-${args?.die}`),
  go: ({ seat, args }, kit) =>
    kit.highlight(`land-${axisNames(kit, "tree", 0).indexOf(args?.land)}`, seat >= 0 ? 900 : 0),
  arrive: ({ args }, kit) => kit.highlight(`land-${axisNames(kit, "tree", 0).indexOf(args?.land)}`, 500),
  settle: ({ args }, kit) => kit.highlight(`land-${kit.view.state.land_at[(args?.place ?? 1) - 1]}`, 700),
  block: ({ seat, args }, kit) => {
    const was = kit.before?.state.coloured[seat][axisNames(kit, "coloured", 1).indexOf(args?.die)];
    const held = kit.view.state.blocks[seat][was - 1];
    kit.moveFrom(`block-${seat}-${was}-${held - 1}`, `die-${args?.die}`, 500);
  },
  gem: ({ seat }, kit) => kit.highlight(`gems-${seat}`, 900),
  take: ({ seat, args }, kit) => kit.moveFrom(`card-${args?.card}`, `seat-${seat}`, 500),
  land_card: ({ args }, kit) => kit.fadeIn(`card-${args?.card}`),
  resident: ({ args }, kit) => kit.fadeIn(`resident-${args?.resident}`),
  welcome: ({ seat, args }, kit) => {
    if (!kit.element(`resident-${args?.resident}`)) kit.highlight(`seat-${seat}`);
  },
  build: (cue, kit) => animateHouse(kit, findHouse(kit, cue)),
  extend: (cue, kit) => animateHouse(kit, findHouse(kit, cue)),
  take_over: (cue, kit) => animateHouse(kit, findHouse(kit, cue)),
  inherit: ({ seat }, kit) => {
    kit.highlight(`seat-${seat}`, 900);
    kit.moveFrom("handed", `seat-${kit.view.state.taken_from - 1}`, 700);
    kit.delay(1500);
  },
  draft: ({ seat, args }, kit) => {
    const c = axisNames(kit, "pool", 0).indexOf(args?.colour);
    const nth = args?.colour === "white" ? kit.view.state.white[seat].filter(Boolean).length - 1 : 0;
    kit.moveFrom(`drafted-${seat}-${args?.colour}-${nth}`, `pool-${c}-${args?.face - 1}-0`);
  },
  lay: (_, kit) => kit.before && animateHouse(kit, kit.view.state.house),
  gift: ({ args }, kit) => kit.highlight(`resident-${args?.resident}`, 1200),
  lodge: ({ args }, kit) => animateArrival(kit, axisNames(kit, "owner", 0).indexOf(args?.house)),
  end: (_, kit) => animateEnd(kit),
  close: (_, kit) => animateEnd(kit),
  vote: (_, kit) => animateEnd(kit),
};
