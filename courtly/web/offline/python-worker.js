/**
 * Python in a worker: it loads the interpreter and the games' rules, and answers what courtly/offline/play.py is asked,
 * one question after another.
 */

const workerUrl = import.meta.url;
const PYODIDE_URL = new URL("../vendor/pyodide/", workerUrl).href;

/* The interpreter is taken whatever the type that a server gives it. @see WebAssembly.instantiateStreaming */
WebAssembly.instantiateStreaming = async (answer, imports) =>
  WebAssembly.instantiate(await (await answer).arrayBuffer(), imports);

async function loadPython() {
  const rules = fetch(new URL("rules.zip", workerUrl)).then((answer) => answer.arrayBuffer());
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    import(`${PYODIDE_URL}pyodide.js`),
    import(`${PYODIDE_URL}pyodide.asm.js`),
  ]);
  const python = await loadPyodide({ indexURL: PYODIDE_URL, createPyodideModule });
  python.unpackArchive(await rules, "zip", { extractDir: "/courtly" });
  python.runPython("import sys; sys.path.insert(0, '/courtly')");
  return python.pyimport("courtly.offline.play").CommandDispatcher();
}

const pythonApi = loadPython();
addEventListener("message", async ({ data }) => {
  try {
    postMessage((await pythonApi).answer(data));
  } catch (error) {
    postMessage(JSON.stringify({ wrong: String(error) }));
  }
});
