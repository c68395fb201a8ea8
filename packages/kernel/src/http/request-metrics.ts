import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  RouteOptions,
} from "fastify";
import type { Metrics, RequestObserver } from "../metrics/metrics.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Its callers may ask it to wait: taking long is nothing to warn of. */
    readonly mayWait?: boolean;
  }
}

type OnResponse = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void;

const SLOW_SECONDS = 1;
const LINE_EVERY_MS = 60_000;

/**
 * Each route gets its own hook that knows its labels; asking the request for its route would cost
 * more than the measurement.
 */
export function installRequestMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook("onRoute", (route) => {
    const others = [route.onResponse ?? []].flat();
    route.onResponse = [observeRoute(route, metrics), ...others];
  });
}

/**
 * Requests no route answers, together: their addresses are the caller's choice and would grow
 * without end.
 */
export function observeUnrouted(metrics: Metrics): (reply: FastifyReply) => void {
  const observe = metrics.requestObserver("*", "unrouted");
  return (reply) => {
    reply.raw.once("finish", () => observe(reply.statusCode, reply.elapsedTime / 1000));
  };
}

function observeRoute(route: RouteOptions, metrics: Metrics): OnResponse {
  const observers: Record<string, RequestObserver> = {};
  for (const method of [route.method].flat()) {
    observers[method] = metrics.requestObserver(method, route.url);
  }
  const mayWait = route.config?.mayWait === true;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let unreported = 0;
  return (request, reply, done) => {
    const seconds = reply.elapsedTime / 1000;
    observers[request.method]?.(reply.statusCode, seconds);
    // A request that was refused in the end is reported with the reason of the refusal.
    if (seconds > SLOW_SECONDS && !mayWait && reply.statusCode !== 503) {
      unreported += 1;
      // Under load each of them is slow, and as many lines would make them slower.
      if (performance.now() - reportedAt < LINE_EVERY_MS) return done();
      const { method } = request;
      request.log.warn(
        { method, route: route.url, status: reply.statusCode, seconds, count: unreported },
        "slow request",
      );
      reportedAt = performance.now();
      unreported = 0;
    }
    done();
  };
}
