// How much the whole server works on at once. What is beyond that is answered at once and before it is looked at: refusing has
// to cost less than serving, and whoever is refused may send the rest of the body, which is thrown away, so that the connection
// stays good.

import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from "fastify";
import type { Logger } from "pino";
import { AppError } from "../errors/app-error.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { errorBody } from "./error-body.ts";
import type { HttpLimits } from "./http-limits.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Answered before all else and whatever the load: for the probes of supervisors, which cost next to nothing. */
    readonly isVital?: boolean;
  }

  interface FastifyRequest {
    /** Its share of what is in flight; null for what is not counted. */
    slot: Slot | null;
  }
}

export interface Slot {
  isHeld: boolean;
}

const LINE_EVERY_MS = 60_000;
/** Bodies up to this size are bounded by the number of requests. */
const SMALL_BYTES = 16_384;
const RETRY = { retryAfterSeconds: 1 };
const TOO_MANY_REQUESTS = errorBody(
  "The server is working on as many requests as it may (ORCHESTRATOR_SERVER_MAX_REQUESTS_IN_FLIGHT): try again in 1 s",
  "Service Unavailable",
);
const TOO_MANY_BYTES =
  "The server holds as many bytes of request bodies as it may (ORCHESTRATOR_SERVER_MAX_BYTES_IN_FLIGHT): try again in 1 s";

type Bounds = Pick<HttpLimits, "bodyBytes" | "requestsInFlight" | "bytesInFlight">;

export interface InFlightParts {
  readonly limits: Bounds;
  readonly log: Pick<Logger, "warn">;
  readonly metrics: Metrics;
}

export interface InFlight {
  /** False for a request that was answered because there are too many. */
  readonly admits: (request: FastifyRequest, reply: FastifyReply) => boolean;
}

/** To be called before there are routes. */
export function boundInFlight(
  app: FastifyInstance,
  { limits, log, metrics }: InFlightParts,
): InFlight {
  const { bodyBytes, requestsInFlight, bytesInFlight } = limits;
  let requests = 0;
  let bytes = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  metrics.gauge({
    name: "http_requests_in_flight",
    help: "Requests being worked on",
    collect() {
      this.set(requests);
    },
  });
  const refusals = metrics.counter({
    name: "http_requests_refused_total",
    help: "Requests answered 503 because the server worked on as much as it may",
  });
  const countRefusal = (): void => {
    refusals.inc();
    if (performance.now() - reportedAt < LINE_EVERY_MS) return;
    reportedAt = performance.now();
    log.warn(
      { requests, bytes },
      "Requests are refused because the server works on as much as it may",
    );
  };
  const release = (slot: Slot): void => {
    if (!slot.isHeld) return;
    slot.isHeld = false;
    requests -= 1;
  };
  const holdBody = (limit: number): preParsingHookHandler => {
    return (request, reply, payload, done) => {
      // Where it is not said how long the body is, it may be as long as it may.
      const length = Number(request.headers["content-length"] ?? limit);
      const isCounted = length > SMALL_BYTES && length <= limit;
      // A client that has gone while it was found out who asks sends nothing more, and leaves nothing that would give it back.
      if (!isCounted || reply.raw.destroyed) {
        done(null, payload);
        return;
      }
      // One alone is always taken.
      if (bytes > 0 && bytes + length > bytesInFlight) {
        countRefusal();
        done(new AppError("unavailable", TOO_MANY_BYTES, RETRY));
        return;
      }
      bytes += length;
      reply.raw.once("close", () => {
        bytes -= length;
      });
      done(null, payload);
    };
  };

  app.decorateRequest("slot", null);
  app.addHook("onRoute", (route) => {
    const { bodyLimit = bodyBytes, config, method, preParsing = [], preHandler = [] } = route;
    if ([method].flat().some((name) => name !== "GET" && name !== "HEAD"))
      route.preParsing = [holdBody(bodyLimit), preParsing].flat();
    // A request that waits for something to happen keeps nobody else waiting.
    if (config?.mayWait === true)
      route.preHandler = [
        (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
          if (request.slot !== null) release(request.slot);
          done();
        },
        preHandler,
      ].flat();
  });

  return {
    admits(request, reply) {
      // Sockets have bounds of their own.
      if (request.raw.headers.upgrade !== undefined) return true;
      if (requests >= requestsInFlight && !isVital(request)) {
        countRefusal();
        reply.code(503).header("retry-after", "1").send(TOO_MANY_REQUESTS);
        return false;
      }
      requests += 1;
      const slot: Slot = { isHeld: true };
      request.slot = slot;
      reply.raw.once("close", () => release(slot));
      return true;
    },
  };
}

export const isVital = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  config?.isVital === true;
