/**
 * Python in a worker: it loads the interpreter and the games' rules, and answers what courtly/offline/play.py is asked,
 * one question after another.
 */

const here = import.meta.url;
const VENDOR = new URL("../vendor/pyodide/", here).href;

/* The interpreter is taken whatever the type that a server gives it. @see WebAssembly.instantiateStreaming */
WebAssembly.instantiateStreaming = async (answer, imports) =>
  WebAssembly.instantiate(await (await answer).arrayBuffer(), imports);

async function start() {
  const rules = fetch(new URL("rules.zip", here)).then((answer) => answer.arrayBuffer());
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    import(`${VENDOR}pyodide.js`),
    import(`${VENDOR}pyodide.asm.js`),
  ]);
  const python = await loadPyodide({ indexURL: VENDOR, createPyodideModule });
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
