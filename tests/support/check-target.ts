// A target of checks that writes down who asked when, and whether anybody asked twice at once.
import { createServer, type Socket } from "node:net";

export interface CheckTargetServer extends AsyncDisposable {
  readonly port: number;
  /** How often each number was asked for since the last mark. */
  readonly counts: () => ReadonlyMap<number, number>;
  /** The numbers in the order in which they were asked for since the last mark. */
  readonly order: () => readonly number[];
  readonly mark: () => void;
  /** How often a number was asked for while it still waited for an answer. */
  readonly overlaps: () => number;
}

/** Longer than a check is under way anyhow, so that two at once are seen. */
const ANSWER_MS = 20;
/** A target is well for so many answers, then unwell for as many. */
const TURN = 3;

/** Asked for `/<number>`. Even numbers are well and unwell by turns, the others are always well. */
export async function startCheckTarget(): Promise<CheckTargetServer> {
  const waiting = new Map<number, Socket>();
  const totals = new Map<number, number>();
  const sockets = new Set<Socket>();
  let asked: number[] = [];
  let overlaps = 0;

  const answer = (socket: Socket, number: number): void => {
    const total = (totals.get(number) ?? 0) + 1;
    totals.set(number, total);
    asked.push(number);
    if (waiting.has(number)) overlaps += 1;
    waiting.set(number, socket);
    const isWell = number % 2 === 1 || Math.floor(total / TURN) % 2 === 0;
    setTimeout(() => {
      if (waiting.get(number) === socket) waiting.delete(number);
      const status = isWell ? "200 OK" : "500 Internal Server Error";
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok`);
    }, ANSWER_MS);
    socket.on("close", () => {
      if (waiting.get(number) === socket) waiting.delete(number);
    });
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", (head) => {
      const number = /^GET \/(\d+) /.exec(head.toString("latin1"))?.[1];
      if (number !== undefined) answer(socket, Number(number));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    counts() {
      const counts = new Map<number, number>();
      for (const number of asked) counts.set(number, (counts.get(number) ?? 0) + 1);
      return counts;
    },
    order: () => asked,
    mark() {
      asked = [];
    },
    overlaps: () => overlaps,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
