// How much the whole server works on at once. What is beyond that is answered at once and before it
// is looked at: refusing has to cost less than serving, and whoever is refused may send the rest of
// the body, which is thrown away, so that the connection stays good.

import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  RequestPayload,
} from "fastify";
import type { Logger } from "pino";
import { AppError } from "../errors/app-error.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { ArrivingBodies, type ArrivingBody } from "./arriving-bodies.ts";
import { errorBody } from "./error-body.ts";
import type { HttpLimits } from "./http-limits.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Answered before all else and whatever the load: for the probes of supervisors, which cost
     * next to nothing.
     */
    readonly isVital?: boolean;
  }

  interface FastifyRequest {
    /** Its place among those in flight; null where the request was refused. */
    slot: Slot | null;
  }
}

export interface Slot {
  readonly take: () => void;
  readonly release: () => void;
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

const TOO_MANY_ARRIVING =
  "The server awaits the rest of as many request bodies from this address as it may (a part of ORCHESTRATOR_SERVER_MAX_REQUESTS_IN_FLIGHT): try again in 1 s";

interface Incoming {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly payload: RequestPayload;
}
type Done = (error?: AppError | null, payload?: RequestPayload) => void;
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
  const arriving = new ArrivingBodies(requestsInFlight, bytesInFlight);
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
  const createSlot = (reply: FastifyReply): Slot => {
    let isHeld = false;
    let isOver = false;
    const take = (): void => {
      if (isHeld || isOver) return;
      isHeld = true;
      requests += 1;
    };
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      requests -= 1;
    };
    reply.raw.once("close", () => {
      release();
      isOver = true;
    });
    take();
    return { take, release };
  };
  const tooMany = (message: string): AppError => {
    countRefusal();
    return new AppError("unavailable", message, RETRY);
  };

  /** Counts what arrives of a body, until the request has been answered. */
  const countBytes = (
    { reply, payload }: Incoming,
    limit: number,
    add: ArrivingBody["add"],
  ): void => {
    let own = 0;
    let isOver = false;
    const release = (): void => {
      bytes -= own;
      own = 0;
      isOver = true;
    };
    reply.raw.once("close", release);
    payload.on("data", ({ length }: Buffer) => {
      if (isOver) return;
      // What is longer than it may be is not kept.
      const more = Math.min(length, limit - own);
      own += more;
      bytes += more;
      const isWithin = add(more) && (bytes === own || bytes <= bytesInFlight);
      if (isWithin) return;
      release();
      payload.emit("error", tooMany(TOO_MANY_BYTES));
    });
  };

  const readBody = (incoming: Incoming, limit: number, done: Done): void => {
    const { request, reply, payload } = incoming;
    // Where it is not said how long the body is, it may be as long as it may.
    const length = Number(request.headers["content-length"] ?? limit);
    const isLarge = length > SMALL_BYTES && length <= limit;
    // One alone is always taken.
    if (isLarge && bytes > 0 && bytes + length > bytesInFlight) {
      done(tooMany(TOO_MANY_BYTES));
      return;
    }
    let add: ArrivingBody["add"] = () => true;
    if (!request.raw.complete) {
      const arrival = arriving.begin(request.ip);
      const { slot } = request;
      slot?.release();
      payload.once("end", () => {
        arrival.end();
        slot?.take();
      });
      reply.raw.once("close", arrival.end);
      add = arrival.add;
    }
    if (isLarge) countBytes(incoming, limit, add);
    done(null, payload);
  };

  const holdBody =
    (limit: number): preParsingHookHandler =>
    (request, reply, payload, done) => {
      const read = (): void => {
        const incoming = { request, reply, payload };
        // A client that has gone while it was found out who asks sends nothing more.
        if (reply.raw.destroyed || !hasBody(request)) done(null, payload);
        else if (request.raw.complete || arriving.hasRoom(request.ip))
          readBody(incoming, limit, done);
        else done(tooMany(TOO_MANY_ARRIVING));
      };
      // A body that came with its headers is complete when this turn of the event loop ends.
      if (request.raw.complete || arriving.hasRoom(request.ip)) read();
      else setImmediate(read);
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
          request.slot?.release();
          done();
        },
        preHandler,
      ].flat();
  });

  return {
    admits(request, reply) {
      if (requests >= requestsInFlight && !isVital(request)) {
        countRefusal();
        reply.code(503).header("retry-after", "1").send(TOO_MANY_REQUESTS);
        return false;
      }
      request.slot = createSlot(reply);
      return true;
    },
  };
}

export const isVital = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  config?.isVital === true;

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
