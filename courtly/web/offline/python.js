/**
 * Python in a worker: it loads the interpreter and the games' rules, and answers what courtly/offline/play.py is asked,
 * one question after another.
 */

const here = import.meta.url;
const VENDOR = new URL("../vendor/pyodide/", here).href;

async function start() {
  const rules = fetch(new URL("rules.zip", here)).then((answer) => answer.arrayBuffer());
  const { loadPyodide } = await import(`${VENDOR}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: VENDOR });
  python.unpackArchive(await rules, "zip", { extractDir: "/courtly" });
  python.runPython("import sys; sys.path.insert(0, '/courtly')");
  return python.pyimport("courtly.offline.play").Desk();
}

const desk = start();
addEventListener("message", async ({ data }) => {
  try {
    postMessage((await desk).answer(data));
  } catch (error) {
    postMessage(JSON.stringify({ wrong: String(error) }));
  }
});
