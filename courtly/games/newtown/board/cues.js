/** What moves when something happens. */

/**
 * @typedef {import("../../../web/core/api-types.js").Cue} Cue
 * @typedef {import("../../../web/board-sdk/animation.js").Kit} Kit
 */

/** The names along an axis of a field. @param {Kit} kit @param {string} field @param {number} number */
const axis = (kit, field, number) => /** @type {string[]} */ (kit.about.fields[field].axes[number]);

/** The latest house rises and the scores count up. @param {Kit} kit */
function built(kit) {
  const { view, before } = kit;
  const id = view.state.house;
  if (!before || (before.state.stages[id] === view.state.stages[id] && before.state.owner[id] === view.state.owner[id]))
    return;
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
  kit.glow("latest", 900);
  scores(kit);
  kit.wait(300);
}

/** @param {Kit} kit */
function scores(kit) {
  for (let seat = 0; seat < kit.view.state.players; seat++) {
    const was = kit.before?.state.score[seat] ?? 0;
    if (was !== kit.view.state.score[seat]) kit.count(`points-${seat}`, was);
  }
}

/** @type {Record<string, (cue: Cue, kit: Kit) => void>} */
export const cues = {
  starter: ({ args }, kit) => kit.glow(`seat-${args?.player}`, 1400),
  die: ({ args }, kit) => kit.roll(`die-${args?.die}`),
  go: ({ seat, args }, kit) => kit.glow(`land-${axis(kit, "tree", 0).indexOf(args?.land)}`, seat >= 0 ? 900 : 0),
  arrive: ({ args }, kit) => kit.glow(`land-${axis(kit, "tree", 0).indexOf(args?.land)}`, 500),
  settle: ({ args }, kit) => kit.glow(`land-${kit.view.state.land_at[(args?.place ?? 1) - 1]}`, 700),
  block: ({ seat, args }, kit) => {
    const was = kit.before?.state.coloured[seat][axis(kit, "coloured", 1).indexOf(args?.die)];
    const held = kit.view.state.blocks[seat][was - 1];
    kit.travel(`block-${seat}-${was}-${held - 1}`, `die-${args?.die}`, 500);
  },
  gem: ({ seat }, kit) => kit.glow(`gems-${seat}`, 900),
  take: ({ seat, args }, kit) => kit.travel(`card-${args?.card}`, `seat-${seat}`, 500),
  land_card: ({ args }, kit) => kit.appear(`card-${args?.card}`),
  resident: ({ args }, kit) => kit.appear(`resident-${args?.resident}`),
  welcome: ({ seat, args }, kit) => {
    if (!kit.el(`resident-${args?.resident}`)) kit.glow(`seat-${seat}`);
  },
  build: (_, kit) => built(kit),
  extend: (_, kit) => built(kit),
  take_over: (_, kit) => built(kit),
  inherit: ({ seat }, kit) => {
    kit.glow(`seat-${seat}`, 900);
    kit.travel("handed", `seat-${kit.view.state.taken_from - 1}`, 700);
    kit.wait(1500);
  },
  draft: ({ seat, args }, kit) => {
    const c = axis(kit, "pool", 0).indexOf(args?.colour);
    const nth = args?.colour === "white" ? kit.view.state.white[seat].filter(Boolean).length - 1 : 0;
    kit.travel(`drafted-${seat}-${args?.colour}-${nth}`, `pool-${c}-${args?.face - 1}-0`);
  },
  lay: (_, kit) => built(kit),
  gift: ({ args }, kit) => kit.glow(`resident-${args?.resident}`, 1200),
  end: (_, kit) => scores(kit),
  close: (_, kit) => scores(kit),
};
