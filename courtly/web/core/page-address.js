/** The addresses of pages: paths at a server; queries of the only page of a site that is files without a server. */

const { dataset } = document.documentElement;

/** Whether the page belongs to a site without any server. */
export const IS_STATIC_SITE = dataset.site !== undefined;

/** Whether the page does without a server, because there is none, or none can be reached, or none is needed. */
export const IS_OFFLINE = dataset.offline !== undefined;

/** The address of the start page. */
export const HOME_URL = IS_STATIC_SITE ? location.pathname : "/";

const ADDRESS = /^\/(t|g|j|rules|learn|mail|dev)\/([^/]+)$/;
const SITE_ADDRESS = /^\?(rules|learn)=([^&]+)/;

/** Return the kind of this page, and what it is about; "" for pages that are about nothing. */
export function readPageAddress() {
  const [, section = "", argument = ""] =
    (IS_STATIC_SITE ? location.search.match(SITE_ADDRESS) : location.pathname.match(ADDRESS)) ?? [];
  return { section, argument };
}

/** Return the address of the rules of a game. @param {string} game */
export const rulesUrl = (game) => (IS_STATIC_SITE ? `?rules=${game}` : `/rules/${game}`);

/** Return the address of the lesson of a game. @param {string} game @param {string} [step] the key of its text */
export const lessonUrl = (game, step) =>
  IS_STATIC_SITE ? `?learn=${game}${step ? `&at=${step}` : ""}` : `/learn/${game}${step ? `?at=${step}` : ""}`;

/** The address at which the stored game without a server is continued. */
export const GO_ON_URL = `${IS_STATIC_SITE ? location.pathname : "/offline"}?go-on`;

/** Return the address at which a game without a server can be started. @param {string} game */
export const offlinePlayUrl = (game) => `${IS_STATIC_SITE ? "" : "/offline"}?play=${game}`;
