// The load generator: a process of its own that keeps connections busy, one request at a time each,
// and looks at every status.
import { connect } from "node:net";

const HOST = "127.0.0.1";
const SILENCE_MS = 30_000;
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

/**
 * `requests` are whole HTTP requests, taken in turn; `#########` in one becomes a number. `chain`
 * is a list of requests that follow each other instead, and counts as one: `{id}` is the id in the
 * answer to its first.
 */
async function run({ requests, chain, expectedStatus, seconds }) {
  const tally = { requests: 0, errors: {} };
  const started = performance.now();
  const until = started + seconds * 1000;
  const plan = { until, tally, expectedStatus };
  const prepared = requests?.map((text) => ({
    bytes: Buffer.from(text),
    counterAt: text.indexOf(COUNTER),
  }));
  await Promise.all(
    connections.map((connection, index) =>
      chain === undefined
        ? keepBusy(connection, { ...plan, prepared, next: index })
        : keepChaining(connection, { ...plan, chain }),
    ),
  );
  return { ...tally, seconds: (performance.now() - started) / 1000 };
}

function keepBusy(connection, { prepared, until, tally, expectedStatus, next }) {
  const send = () => {
    const { bytes, counterAt } = prepared[next % prepared.length];
    next += connections.length;
    if (counterAt === -1) connection.socket.write(bytes);
    else connection.socket.write(numbered(bytes, counterAt));
  };
  const take = (status) => {
    tally.requests += 1;
    if (status !== expectedStatus) countError(tally, status);
    return true;
  };
  return exchange(connection, { send, take, until, tally });
}

function keepChaining(connection, { chain, until, tally, expectedStatus }) {
  let step = 0;
  let id = "";
  const send = () => connection.socket.write(chain[step].text.replaceAll("{id}", id));
  const take = (status, body) => {
    if (status !== expectedStatus || !body.includes(chain[step].answer)) {
      countError(tally, `${status} in step ${step + 1}`);
      step = 0;
      return true;
    }
    if (step === 0) id = JSON.parse(body).id;
    step = (step + 1) % chain.length;
    if (step > 0) return false;
    tally.requests += 1;
    return true;
  };
  connection.keepsBody = true;
  return exchange(connection, { send, take, until, tally });
}

/**
 * Sends, takes the answer and sends again; ends after the time is over, where `take` says that one
 * may.
 */
function exchange(connection, { send, take, until, tally }) {
  return new Promise((resolve) => {
    const finish = (error) => {
      clearTimeout(timer);
      connection.onLost = connection.onAnswer = () => {};
      if (error !== undefined) countError(tally, error);
      resolve();
    };
    const timer = setTimeout(finish, until - performance.now() + SILENCE_MS, "no answer");
    const goOn = (mayEnd) => {
      if (mayEnd && performance.now() >= until) finish();
      else send();
    };
    connection.onAnswer = (status, body) => goOn(take(status, body));
    connection.onLost = () => {
      const mayEnd = take("connection lost", "");
      connection.open().then(
        () => goOn(mayEnd),
        () => finish("no connection"),
      );
    };
    if (connection.socket.destroyed) connection.onLost();
    else send();
  });
}

function countError(tally, what) {
  tally.errors[what] = (tally.errors[what] ?? 0) + 1;
}

function numbered(bytes, counterAt) {
  const copy = Buffer.from(bytes);
  counter += 1;
  copy.latin1Write(String(counter).padStart(COUNTER.length, "0"), counterAt);
  return copy;
}

async function openConnection(port) {
  const connection = { onAnswer: () => {}, onLost: () => {}, keepsBody: false };
  connection.open = async () => {
    connection.socket = await openSocket(port, connection);
  };
  await connection.open();
  return connection;
}

function openSocket(port, connection) {
  const socket = connect({ port, host: HOST, noDelay: true });
  let head = "";
  let body = "";
  let status = "";
  let missing = 0;
  socket.on("data", (chunk) => {
    if (missing > 0) {
      missing -= chunk.length;
      if (connection.keepsBody) body += chunk.latin1Slice();
    } else {
      head += chunk.latin1Slice();
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      status = head.slice(9, 12);
      if (connection.keepsBody) body = head.slice(end + 4);
      missing = end + 4 + contentLength(head) - head.length;
      head = "";
    }
    if (missing === 0) connection.onAnswer(status, body);
  });
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.once("connect", () => {
      socket.once("close", () => connection.onLost());
      resolve(socket);
    });
  });
}

function contentLength(head) {
  return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
}
