/**
 * A reverse proxy for benchmarks: TLS and HTTP/2 in front of a server.
 *
 *     node benchmarks/http2.mjs SERVER-PORT KEY.pem CERTIFICATE.pem
 *
 * It prints its own port. WebSockets use HTTP/1.1, as browsers do.
 */
import fs from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import net from "node:net";

const [port, key, cert] = process.argv.slice(2);
const OF_HTTP1 = ["connection", "keep-alive", "transfer-encoding", "upgrade"];

const proxy = http2.createSecureServer(
  { key: fs.readFileSync(key), cert: fs.readFileSync(cert), allowHTTP1: true },
  (asked, answer) => {
    const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !name.startsWith(":")));
    headers.host ??= asked.headers[":authority"];
    const request = http.request({ port, method: asked.method, path: asked.url, headers }, (told) => {
      const kept = Object.entries(told.headers).filter(([name]) => !OF_HTTP1.includes(name));
      answer.writeHead(told.statusCode, Object.fromEntries(kept));
      told.pipe(answer);
    });
    request.on("error", () => answer.destroy());
    asked.pipe(request);
  },
);
proxy.on("upgrade", (asked, socket) => {
  const house = net.connect(Number(port), "localhost", () => {
    const lines = Object.entries(asked.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    house.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
    socket.pipe(house).pipe(socket);
  });
  house.on("error", () => socket.destroy());
  socket.on("error", () => house.destroy());
});
proxy.listen(0, "localhost", () => console.log(proxy.address().port));
