export * from "lit/html.js";
export { classMap } from "lit/directives/class-map.js";
export { guard } from "lit/directives/guard.js";
export { ifDefined } from "lit/directives/if-defined.js";
export { keyed } from "lit/directives/keyed.js";
export { live } from "lit/directives/live.js";
export { ref } from "lit/directives/ref.js";
export { repeat } from "lit/directives/repeat.js";
