// The load generator: a process of its own that keeps connections busy, one request at a time each, and looks at every status.
import { connect } from "node:net";

const HOST = "127.0.0.1";
const SILENCE_MS = 10_000;
const COUNTER = "#########";

let connections = [];
// Never starts over, so that no name is used twice on any server.
let counter = 0;

const commands = { open, run, close };
process.on("message", ({ command, ...input }) => {
  Promise.resolve(commands[command](input)).then(
    (answer) => process.send(answer ?? {}),
    (error) => {
      throw error;
    },
  );
});
process.on("disconnect", () => process.exit());

async function open({ port, count }) {
  connections = await Promise.all(Array.from({ length: count }, () => openConnection(port)));
}

function close() {
  for (const { socket } of connections) socket.destroy();
}

/** `requests` are whole HTTP requests, taken in turn; `#########` in one becomes a number. */
async function run({ requests, expectedStatus, seconds }) {
  const prepared = requests.map((text) => ({
    bytes: Buffer.from(text),
    counterAt: text.indexOf(COUNTER),
  }));
  const tally = { requests: 0, errors: {} };
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(
    connections.map((connection, index) =>
      keepBusy(connection, { prepared, until, tally, expectedStatus, next: index }),
    ),
  );
  return { ...tally, seconds: (performance.now() - started) / 1000 };
}

function keepBusy(connection, { prepared, until, tally, expectedStatus, next }) {
  return new Promise((resolve) => {
    const send = () => {
      const { bytes, counterAt } = prepared[next % prepared.length];
      next += connections.length;
      if (counterAt === -1) connection.socket.write(bytes);
      else connection.socket.write(numbered(bytes, counterAt));
    };
    const finish = (error) => {
      clearTimeout(timer);
      if (error !== undefined) tally.errors[error] = (tally.errors[error] ?? 0) + 1;
      resolve();
    };
    const timer = setTimeout(finish, until - performance.now() + SILENCE_MS, "no answer");
    connection.onLost = () => finish("connection lost");
    connection.onAnswer = (status) => {
      tally.requests += 1;
      if (status !== expectedStatus) tally.errors[status] = (tally.errors[status] ?? 0) + 1;
      if (performance.now() < until) send();
      else finish();
    };
    if (connection.socket.destroyed) finish("connection lost");
    else send();
  });
}

function numbered(bytes, counterAt) {
  const copy = Buffer.from(bytes);
  counter += 1;
  copy.latin1Write(String(counter).padStart(COUNTER.length, "0"), counterAt);
  return copy;
}

function openConnection(port) {
  const socket = connect({ port, host: HOST, noDelay: true });
  const connection = { socket, onAnswer: () => {}, onLost: () => {} };
  let head = "";
  let status = "";
  let missing = 0;
  socket.on("data", (chunk) => {
    if (missing > 0) {
      missing -= chunk.length;
    } else {
      head += chunk.latin1Slice();
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      status = head.slice(9, 12);
      missing = end + 4 + contentLength(head) - head.length;
      head = "";
    }
    if (missing === 0) connection.onAnswer(status);
  });
  socket.on("error", () => {});
  socket.on("close", () => connection.onLost());
  return new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(connection));
    socket.once("error", reject);
  });
}

function contentLength(head) {
  return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
}
