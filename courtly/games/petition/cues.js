/**
 * What moves when something happens. Dice are known by place, face and number: `active-5-0` is the first active five.
 */

/** @typedef {import("../../web/types.js").Cue} Cue @typedef {import("../../web/types.js").View} View */
/** @typedef {import("../../web/motion.js").Kit} Kit */

/**
 * Dice of a face that have already found their place while a view's cues are played.
 * @type {WeakMap<View, Record<string, number>>}
 */
const landed = new WeakMap();

/**
 * The next die that landed on this face in this zone, counted from the last.
 * @param {Kit} kit @param {"active" | "aside"} zone @param {number} face
 */
function place(kit, zone, face) {
  const seen = landed.get(kit.view) ?? {};
  landed.set(kit.view, seen);
  const key = `${zone}-${face}`;
  seen[key] = (seen[key] ?? 0) + 1;
  return `${key}-${kit.view.state[zone][face - 1] - seen[key]}`;
}

/** Where dice of this face lay before. @param {Kit} kit @param {number} face */
const source = (kit, face) => `active-${face}-${Math.max(0, (kit.before?.state.active[face - 1] ?? 1) - 1)}`;

/** @param {Kit} kit @param {number} from @param {number} to */
function changes(kit, from, to) {
  const key = place(kit, "active", to);
  kit.animate(
    key,
    [{ transform: "rotateY(0) scale(1.1)" }, { transform: "rotateY(90deg) scale(1.1)" }, { transform: "none" }],
    450,
  );
  kit.glow(key);
  if (from !== to) kit.travel(key, source(kit, from));
}

/** @param {string} card @param {(cue: Cue, kit: Kit) => void} then */
const power = (card, then) => (/** @type {Cue} */ cue, /** @type {Kit} */ kit) => {
  kit.glow(`chip-${card}`);
  then(cue, kit);
};

/** @param {Cue} cue @param {Kit} kit */
const raised = ({ verb, args }, kit) => changes(kit, args?.face, args?.face + kit.view.facts?.raises[verb]);

/** A new holder of the King is shown on the throne. @param {Cue} _ @param {Kit} kit */
function crowned(_, kit) {
  if (kit.before && kit.before.state.king !== kit.view.state.king) kit.glow("throne", 1200);
}

/** @type {Record<string, (cue: Cue, kit: Kit) => void>} */
export const cues = {
  start: ({ args }, kit) => kit.glow(`seat-${args?.player}`, 1400),
  die: ({ args }, kit) => kit.roll(place(kit, "active", args?.face)),
  keep(cue, kit) {
    kit.travel(place(kit, "aside", cue.args?.face), source(kit, cue.args?.face));
    crowned(cue, kit);
  },
  finish: crowned,
  concede: ({ seat }, kit) => kit.glow(`seat-${seat}`),
  claim({ seat, args }, kit) {
    kit.glow(`card-${args?.card}`, 1000);
    kit.travel(`own-${args?.card}-${seat}`, `seat-${seat}`, 600);
    if (args?.card === "king") kit.glow("throne", 1400);
    kit.wait(350);
  },
  add({ args }, kit) {
    const face = args && kit.view.state.rolling ? 0 : kit.view.facts?.adds[args?.card];
    if (face) kit.travel(place(kit, "active", face), `chip-${args?.card}`);
  },
  queen: power("queen", ({ args }, kit) => kit.travel(place(kit, "active", args?.face), "chip-queen")),
  maid: power("maid", ({ args }, kit) => changes(kit, args?.face, args?.face + args?.plus)),
  philosopher: power("philosopher", ({ args }, kit) => {
    changes(kit, args?.giver, args?.giver - args?.pips);
    changes(kit, args?.receiver, args?.receiver + args?.pips);
  }),
  astronomer: power("astronomer", ({ args }, kit) => changes(kit, args?.face, args?.to)),
  magician: power("magician", ({ args }, kit) => changes(kit, args?.face, args?.to)),
  noblewoman: raised,
  nobleman: raised,
  turn: ({ args }, kit) => changes(kit, args?.face, args?.face),
};
