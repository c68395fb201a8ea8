// A target that answers at once, or never, and writes down who came when. It is the only clock of
// the benchmark.
import { createServer } from "node:net";

const BODY = '{"status":"ok","version":"1.2.3","up":1}';
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\nconnection: close\r\n\r\n${BODY}`,
);

let arrivals = [];
const open = new Map();
let overlaps = 0;

/** Asked for `/<number>`; with `?hang` behind it nothing is answered. */
const server = createServer((socket) => {
  let number = -1;
  socket.on("error", () => {});
  socket.once("data", (head) => {
    const line = head.toString("latin1", 0, 64);
    number = Number.parseInt(line.slice(line.indexOf("/") + 1), 10);
    arrivals.push(number, performance.timeOrigin + performance.now());
    const already = open.get(number) ?? 0;
    if (already > 0) overlaps += 1;
    open.set(number, already + 1);
    if (!line.includes("?hang")) socket.end(ANSWER);
  });
  socket.once("close", () => {
    if (number >= 0) open.set(number, open.get(number) - 1);
  });
});

server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  process.send({ port: server.address().port });
});

process.on("message", ({ command }) => {
  if (command === "take") {
    process.send({ arrivals, overlaps });
    arrivals = [];
    overlaps = 0;
  }
  if (command === "count")
    process.send({ seen: new Set(arrivals.filter((_, i) => i % 2 === 0)).size });
});
process.on("disconnect", () => process.exit(0));
