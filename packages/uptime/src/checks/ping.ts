import { Int, Model } from "@orchestrator/contract";
import {
  type Destination,
  OutboundError,
  openConnection,
  withTimeLimits,
} from "@orchestrator/outbound";
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
  portField,
  slowField,
  target,
} from "./parts.ts";

const PingCheck = Model(
  {
    type: Type.Literal("ping"),
    ...target,
    count: Type.Optional(
      Int({ minimum: 1, maximum: 10, description: "How many; 1 when left out" }),
    ),
    ...attempts,
    degraded_after_ms: Type.Optional(DegradedAfterMs),
  },
  { $id: "PingCheck", title: "Ping" },
);

const DEFAULTS = { count: 1, ...attemptDefaults } as const;

/**
 * Asks whether the host is alive, by TCP: an echo request needs rights that a server should not
 * have. A host that refuses the connection is alive too, and has answered as fast as one that takes
 * it.
 */
export const pingCheck = defineCheck(PingCheck, {
  title: "Ping",
  about: "Measures how long a connection takes",
  icon: "monitor",
  defaults: DEFAULTS,
  fields: [
    hostField,
    portField,
    { key: "count", label: "How many", kind: "number" },
    { ...slowField, rare: true },
    ...attemptFields,
  ],

  async attempt(config, { url }, run) {
    const { count = DEFAULTS.count } = config;
    const times: number[] = [];
    let failure: unknown = null;
    try {
      const endpoint = endpointOf(url, config);
      for (let i = 0; i < count; i++)
        try {
          times.push(await knock(endpoint, run, count));
        } catch (error) {
          if (error instanceof OutboundError && error.isLasting) throw error;
          failure = error;
        }
    } catch (error) {
      return failedOutcome(error, run);
    }
    const lost = count - times.length;
    const details = { sent: count, received: times.length, loss_percent: percent(lost, count) };
    if (times.length === 0) return failedOutcome(failure, run, { doing: "connecting", details });
    const average = times.reduce((sum, ms) => sum + ms, 0) / times.length;
    return outcomeOf(
      [
        { status: "up", text: `answered in ${roundMs(average)} ms` },
        ...(lost > 0
          ? [{ status: "degraded", text: `${lost} of ${count} not answered` } as const]
          : []),
        ...slowness(average, config.degraded_after_ms),
      ],
      {
        ...details,
        min_ms: roundMs(Math.min(...times)),
        avg_ms: roundMs(average),
        max_ms: roundMs(Math.max(...times)),
      },
    );
  },
});

/** Milliseconds until the host answered, without the time to find it. */
async function knock(endpoint: Destination, run: CheckAttempt, count: number): Promise<number> {
  let startedAt = performance.now();
  const onResolved = (): void => {
    startedAt = performance.now();
  };
  const limits = { timeoutMs: run.timeoutMs / count, stopping: run.signal, graceMs: 0 };
  try {
    const socket = await withTimeLimits(limits, (signal) =>
      openConnection(endpoint, { ...run, signal, onResolved }),
    );
    const elapsedMs = performance.now() - startedAt;
    socket.on("error", () => {});
    socket.destroy();
    return elapsedMs;
  } catch (error) {
    const known = error instanceof OutboundError ? error : null;
    if (known?.reason === "ECONNREFUSED") return performance.now() - startedAt;
    // The time of the whole attempt was over before that of this one.
    if (known?.code === "stopped")
      throw new OutboundError("timeout", "There was no answer in time");
    throw error;
  }
}

const percent = (part: number, whole: number): number => Math.round((100 * part) / whole);
