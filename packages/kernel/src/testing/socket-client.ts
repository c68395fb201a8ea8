import { once } from "node:events";
import { writeJson } from "@orchestrator/exact-json";
import { WebSocket } from "ws";
import { parseAnswer } from "./read-answer.ts";

/** A client that keeps what it hears until it is asked for. */
export interface SocketClient extends AsyncDisposable {
  readonly ws: WebSocket;
  readonly send: (message: unknown) => void;
  /** The next message, parsed. */
  readonly next: () => Promise<unknown>;
  /** Messages that nobody has asked for yet. */
  readonly waiting: () => number;
  /** Resolves when the server has answered a ping. */
  readonly ping: () => Promise<void>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

/** Opens a websocket; throws when the server does not. */
export async function openSocket(
  url: string,
  protocols: string[] = [],
  headers: Readonly<Record<string, string>> = {},
): Promise<SocketClient> {
  const ws = new WebSocket(url, protocols, { headers });
  const heard: unknown[] = [];
  const asked: ((message: unknown) => void)[] = [];
  ws.on("message", (data: Buffer) => {
    const message: unknown = parseAnswer(data.toString("utf8"));
    const resolve = asked.shift();
    if (resolve === undefined) heard.push(message);
    else resolve(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.once("close", (code, reason) => resolve({ code, reason: reason.toString("utf8") }));
  });
  ws.on("error", () => {});
  await once(ws, "open");
  let pings = 0;
  return {
    ws,
    send: (message) => ws.send(typeof message === "string" ? message : writeJson(message)),
    waiting: () => heard.length,
    closed,
    next: () =>
      heard.length > 0
        ? Promise.resolve(heard.shift())
        : new Promise((resolve, reject) => {
            asked.push(resolve);
            void closed.then(({ code, reason }) => {
              reject(new Error(`The server closed the connection: ${code} ${reason}`));
            });
          }),
    async ping() {
      pings += 1;
      const data = String(pings);
      await new Promise<void>((resolve, reject) => {
        const hear = (answer: Buffer): void => {
          if (answer.toString() !== data) return;
          ws.off("pong", hear);
          resolve();
        };
        ws.on("pong", hear);
        void closed.then(() => reject(new Error("The server closed the connection")));
        ws.ping(data);
      });
    },
    async [Symbol.asyncDispose]() {
      ws.terminate();
      await closed;
    },
  };
}
