import type { FastifyReply, FastifyRequest, preParsingHookHandler, RouteOptions } from "fastify";
import type { Logger } from "pino";
import type { AppError } from "../errors/app-error.ts";
import { acceptFirst } from "../http/accept-first.ts";
import { LoopTurnScheduler } from "../http/loop-turn-scheduler.ts";
import type { HttpApp } from "../http-app/create-http-app.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Scope } from "../scope/scope.ts";
import type { FairShare } from "./fair-share.ts";

/** Whether a request is expensive, once its body and query are known. */
export type IsExpensive = (request: FastifyRequest) => boolean;

export interface FairShareParts {
  /** Null where no caller is held to a share. */
  readonly share: FairShare | null;
  /** Null for a route whose requests are never expensive. */
  readonly expensive: (method: string, route: RouteOptions) => IsExpensive | null;
  readonly log: Pick<Logger, "warn">;
  readonly metrics: Metrics;
}

/** What an expensive request costs. */
const EXPENSIVE_UNITS = 20;
/** A body costs a unit for each piece of this size. */
const UNIT_BYTES = 32_768;
const LINE_EVERY_MS = 60_000;

type Done = (error?: Error) => void;

/**
 * Holds requests to the shares of their callers, and begins expensive ones one by one. To be called
 * before there are routes.
 */
export function installFairShare(app: HttpApp, parts: FairShareParts): void {
  const { share, expensive } = parts;
  const refuse = createRefusal(parts);
  // What else has arrived, such as a probe, is served between two of them.
  const turns = LoopTurnScheduler.oneByOne(acceptFirst(app.server));

  const enterWith =
    (held: FairShare) =>
    (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
      // Sockets that say later who they are have no scope yet.
      const { scope } = request as { readonly scope?: Scope };
      const refusal = scope === undefined ? null : held.take(scope, unitsOf(request));
      if (scope === undefined || refusal === null) done();
      else done(refuse(scope, refusal));
    };

  const begin =
    (isExpensive: IsExpensive) =>
    (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
      if (!isExpensive(request)) {
        done();
        return;
      }
      const { scope } = request;
      const release = share?.begin(scope) ?? (() => {});
      if (typeof release !== "function") {
        done(refuse(scope, release));
        return;
      }
      share?.charge(scope, EXPENSIVE_UNITS);
      reply.raw.once("close", release);
      turns.run(() => {
        // Nothing is done for a client that has gone, perhaps before anybody listened for that.
        if (reply.raw.destroyed) release();
        else done();
      });
    };

  app.addHook("onRoute", (route) => {
    const { isPublic, hasOwnCredential, isVital } = route.config ?? {};
    if (isPublic === true || hasOwnCredential === true || isVital === true) return;
    // Behind the hook of the API that says who asks, and before the body is read.
    if (share !== null) route.onRequest = [enterWith(share), route.onRequest ?? []].flat();
    if (share !== null) route.preParsing = [chargeChunked(share), route.preParsing ?? []].flat();
    const [method = ""] = [route.method].flat();
    const isExpensive = expensive(method, route);
    if (isExpensive !== null)
      route.preHandler = [begin(isExpensive), route.preHandler ?? []].flat();
  });
}

function unitsOf({ headers }: FastifyRequest): number {
  const length = headers["content-length"];
  return length === undefined ? 1 : 1 + Math.floor(Number(length) / UNIT_BYTES);
}

/** A chunked body does not declare its length, so it is charged as it is read. */
const chargeChunked =
  (share: FairShare): preParsingHookHandler =>
  (request, _reply, payload, done) => {
    const { scope, headers } = request as { readonly scope?: Scope } & FastifyRequest;
    if (scope !== undefined && headers["transfer-encoding"] !== undefined) {
      let unpaid = 0;
      payload.on("data", ({ length }: Buffer) => {
        unpaid += length;
        const units = Math.floor(unpaid / UNIT_BYTES);
        unpaid -= units * UNIT_BYTES;
        if (units > 0) share.charge(scope, units);
      });
    }
    done(null, payload);
  };

/** Counts refusals, and says in the log once a minute whose requests they are. */
function createRefusal({ log, metrics }: FairShareParts) {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const refusals = metrics.counter({
    name: "http_requests_over_share_total",
    help: "Requests answered 429 because their key or workspace used more than its share",
  });
  return ({ workspaceId, credentialId, caller, address }: Scope, refusal: AppError): AppError => {
    refusals.inc();
    if (performance.now() - reportedAt >= LINE_EVERY_MS) {
      reportedAt = performance.now();
      const who = { workspaceId, key: credentialId, caller: caller.id, address };
      log.warn(who, `Requests are refused: ${refusal.message}`);
    }
    return refusal;
  };
}
