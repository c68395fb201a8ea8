import type { Socket } from "node:net";
import { Model } from "@orchestrator/contract";
import { OutboundError, openConnection } from "@orchestrator/outbound";
import { Type } from "typebox";
import { type CheckAttempt, defineCheck } from "./check.ts";
import { endpointOf } from "./endpoint.ts";
import { failedOutcome, outcomeOf, roundMs, slowness } from "./outcome.ts";
import {
  attemptDefaults,
  attemptFields,
  attempts,
  DegradedAfterMs,
  hostField,
  MAX_OPTION_LENGTH,
  portField,
  slowField,
  target,
} from "./parts.ts";

const TcpCheck = Model(
  {
    type: Type.Literal("tcp"),
    ...target,
    send: Type.Optional(
      Type.String({
        maxLength: MAX_OPTION_LENGTH,
        description: "Sent once the connection is open",
      }),
    ),
    contains: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_OPTION_LENGTH,
        description: "What must be in the first 64 KiB that the other side says",
      }),
    ),
    ...attempts,
    degraded_after_ms: Type.Optional(DegradedAfterMs),
  },
  { $id: "TcpCheck", title: "TCP connection" },
);

/** So much of what the other side says is looked at. */
const MAX_HEARD = 65_536;

/** Opens a connection, says something if told to, and listens for an answer if one is expected. */
export const tcpCheck = defineCheck(TcpCheck, {
  title: "TCP",
  about: "Opens a connection to a port",
  icon: "pool",
  defaults: attemptDefaults,
  fields: [
    hostField,
    portField,
    { key: "send", label: "Send", kind: "text", rare: true },
    { key: "contains", label: "The answer holds", kind: "text", rare: true },
    { ...slowField, rare: true },
    ...attemptFields,
  ],

  async attempt(config, { url }, run) {
    const startedAt = performance.now();
    const timings: Record<string, number> = {};
    let lastAt = startedAt;
    const done = (step: string): void => {
      timings[step] = roundMs(performance.now() - lastAt);
      lastAt = performance.now();
    };
    let doing = "connecting";
    let socket: Socket | null = null;
    try {
      const endpoint = endpointOf(url, config);
      socket = await openConnection(endpoint, { ...run, onResolved: () => done("dns") });
      done("connect");
      doing = "waiting for the answer";
      if (config.send !== undefined) socket.write(config.send);
      if (config.contains !== undefined) {
        await hear(socket, Buffer.from(config.contains), run);
        done("first_byte");
      }
      const elapsedMs = performance.now() - startedAt;
      const text = config.contains === undefined ? "connected" : "answered as expected";
      return outcomeOf([{ status: "up", text }, ...slowness(elapsedMs, config.degraded_after_ms)], {
        timings,
      });
    } catch (error) {
      return failedOutcome(error, run, { doing, details: { timings } });
    } finally {
      socket?.on("error", () => {});
      socket?.destroy();
    }
  },
});

/** Ends when the other side has said what is expected. */
function hear(socket: Socket, expected: Buffer, { signal }: CheckAttempt): Promise<void> {
  return new Promise((resolve, reject) => {
    let heard = Buffer.alloc(0);
    const settle = (error: OutboundError | null): void => {
      signal.removeEventListener("abort", abort);
      socket.removeAllListeners("data");
      if (error === null) resolve();
      else reject(error);
    };
    const abort = (): void => settle(tooLate(heard.length));
    socket.on("data", (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      if (heard.includes(expected)) settle(null);
      else if (heard.length > MAX_HEARD) settle(unexpected());
    });
    socket.on("end", () => settle(heard.length > 0 ? unexpected() : hungUp()));
    socket.on("error", () => settle(hungUp()));
    socket.on("close", () => settle(hungUp()));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

const unexpected = () => new OutboundError("invalid", "The answer is not what was expected");
const hungUp = () => new OutboundError("broken", "The other side hung up");
const tooLate = (heard: number) =>
  heard > 0 ? unexpected() : new OutboundError("timeout", "There was no answer in time");
