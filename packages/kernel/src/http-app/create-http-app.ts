import type { Socket } from "node:net";
import { writeJson } from "@orchestrator/exact-json";
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type HookHandlerDoneFunction,
} from "fastify";
import type { Logger } from "pino";
import { AppError } from "../errors/app-error.ts";
import { acceptFirst } from "../http/accept-first.ts";
import { createClientErrors } from "../http/client-errors.ts";
import { compress } from "../http/compression.ts";
import { type CorsOrigins, createCors, FOREIGN_PAGE, type PageRules } from "../http/cors.ts";
import { createErrorHandler } from "../http/error-handler.ts";
import { createHostCheck, type HostNames } from "../http/host-names.ts";
import { checkIntervalMs, DEFAULT_LIMITS, type HttpLimits } from "../http/http-limits.ts";
import { boundInFlight, type InFlight, isVital } from "../http/in-flight.ts";
import { InvalidRequestError } from "../http/invalid-request.ts";
import { installJsonBody } from "../http/json-body.ts";
import { LoopTurnScheduler } from "../http/loop-turn-scheduler.ts";
import { answerUnrouted } from "../http/not-found.ts";
import { createRequestIds } from "../http/request-id.ts";
import { createRequestLog, ErrorLogController } from "../http/request-log.ts";
import { installRequestMetrics, observeUnrouted } from "../http/request-metrics.ts";
import { SlowRequestGuard } from "../http/slow-request-guard.ts";
import { createRequestValidation } from "../http/validation.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { plainUrl } from "../scope/workspace-path.ts";
import { installSockets } from "../sockets/socket-hub.ts";
import type { SocketLimits } from "../sockets/socket-limits.ts";

export interface HttpAppOptions {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly limits?: Partial<HttpLimits>;
  readonly socketLimits?: Partial<SocketLimits>;
  /** Origins of web pages that may call. @default "*" */
  readonly corsOrigins?: CorsOrigins;
  /** The names by which the server may be asked, beside addresses and `localhost`. @default "*" */
  readonly hostNames?: HostNames;
  /** The addresses by which people are told to open the server's pages. @default none */
  readonly ownUrls?: readonly string[];
  /** Addresses and ranges of proxies whose `X-Forwarded-…` headers are believed. @default none */
  readonly trustedProxies?: readonly string[];
  /**
   * Answers GET requests no route takes, such as pages of a web bundle; false leaves the request to
   * be a 404.
   */
  readonly fallback?: (request: FastifyRequest, reply: FastifyReply) => boolean;
}

/** The web server, before and after it has routes. */
export type HttpApp = FastifyInstance;

declare module "fastify" {
  interface FastifyInstance {
    /** Open sockets, upgraded ones included. */
    readonly sockets: ReadonlySet<Socket>;
  }
}

/** Names are at most 1,000 characters, which are up to twice as many units once decoded. */
const MAX_PARAM_LENGTH = 2048;
/**
 * Two of them stand in one address, each character of up to nine bytes, beside cookies and keys.
 */
const MAX_HEADER_BYTES = 32_768;

/** The web server of the process, without routes and not listening. */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const limits: HttpLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const late = new SlowRequestGuard(limits.requestMs);
  const handleError = createErrorHandler({ malformedJsonStatus: 400 });
  const app = fastify({
    loggerInstance: options.log,
    logController: new ErrorLogController(),
    childLoggerFactory: createRequestLog,
    rewriteUrl: plainUrl,
    genReqId: createRequestIds(),
    // The address of a request is then the last in the list that none of them has.
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.idleMs,
    return503OnClosing: false,
    exposeHeadRoutes: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    http: {
      headersTimeout: Math.min(limits.headersMs, limits.requestMs),
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: checkIntervalMs(limits),
      maxHeaderSize: MAX_HEADER_BYTES,
      // Checked in the first hook instead, where the answer has a body.
      requireHostHeader: false,
    },
    clientErrorHandler: createClientErrors(late),
    frameworkErrors: (error, request, reply) => {
      startReply(reply, request.id);
      handleError(error, request, reply);
    },
    // Both are replaced below; naming them here keeps the stock compilers from being loaded.
    schemaController: {
      compilersFactory: {
        buildValidator: () => createRequestValidation().compiler as never,
        buildSerializer: () => () => writeJson,
      },
    },
  }) as unknown as FastifyInstance;

  app.setSerializerCompiler(() => writeJson);
  app.setReplySerializer(writeJson);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) => {
    answerUnrouted(app, request, reply);
  });
  late.observe(app.server);
  const turns = new LoopTurnScheduler(undefined, acceptFirst(app.server));
  const inFlight = boundInFlight(app, { limits, log: options.log, metrics: options.metrics });
  installJsonBody(app, { maxDepth: limits.jsonDepth, turns });
  installRequestMetrics(app, options.metrics);
  const state = trackShutdown(app);
  installHooks(app, options, { state, inFlight, turns });
  installSockets(app, {
    metrics: options.metrics,
    pages: pageRules(options),
    limits: options.socketLimits,
  });
  return app;
}

const pageRules = ({ corsOrigins = [], ownUrls = [] }: HttpAppOptions): PageRules => ({
  origins: corsOrigins,
  ownOrigins: ownUrls.map((url) => new URL(url).origin),
});

/** What holds for every answer; a route that may be stored, such as an asset, says so itself. */
function startReply(reply: FastifyReply, requestId: string): void {
  reply.header("x-request-id", requestId);
  reply.header("cache-control", "no-store");
  reply.header("x-content-type-options", "nosniff");
}

interface ShutdownState {
  draining: boolean;
}

/**
 * Once closing begins, answers end their connection; sockets that never sent a byte are not waited
 * for.
 */
function trackShutdown(app: FastifyInstance): ShutdownState {
  const state: ShutdownState = { draining: false };
  const sockets = new Set<Socket>();
  app.decorate("sockets", sockets);
  app.server.on("connection", (socket: Socket) => {
    // A request that offers another protocol is handed back as if its connection were new.
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  app.addHook("preClose", (done) => {
    state.draining = true;
    for (const socket of sockets) {
      if (socket.bytesRead === 0) socket.destroy();
    }
    done();
  });
  return state;
}

const unknownHost = (host: string): string =>
  `This server does not answer to the name ${JSON.stringify(host.slice(0, 300))}, which a web page could have made to lead here: if it is the server's, add it to ORCHESTRATOR_SERVER_ALLOWED_HOSTS, or set ORCHESTRATOR_UI_URL to the address that people open`;

interface Front {
  readonly state: ShutdownState;
  readonly inFlight: InFlight;
  readonly turns: LoopTurnScheduler;
}

/** Two hooks for everything, because each one is paid for by every request. */
function installHooks(
  app: FastifyInstance,
  options: HttpAppOptions,
  { state, inFlight, turns }: Front,
): void {
  const cors = createCors(pageRules(options));
  const isKnownHost = createHostCheck(options.hostNames ?? "*");
  const countUnrouted = observeUnrouted(options.metrics);

  const receive = (
    request: FastifyRequest,
    reply: FastifyReply,
    done: HookHandlerDoneFunction,
  ): void => {
    const { headers, url = "/" } = request.raw;
    if (headers.host !== undefined) {
      // Both, because a page of a foreign name may send X-Forwarded-Host itself, through a proxy on
      // this machine.
      const unknown = [headers.host, request.host].find((host) => !isKnownHost(host));
      if (unknown !== undefined) {
        done(new AppError("forbidden", unknownHost(unknown)));
        return;
      }
    }
    if (headers.origin !== undefined) {
      if (cors.apply(headers.origin, request, reply)) return;
      if (cors.refuses(headers.origin, request)) {
        done(new AppError("forbidden", FOREIGN_PAGE));
        return;
      }
    }
    if (state.draining || headers.host === undefined || url.includes("%00")) {
      const refusal = refuseEarly(request, state);
      if (refusal !== undefined) {
        done(refusal);
        return;
      }
    }
    if (!request.is404) {
      done();
      return;
    }
    countUnrouted(reply);
    const isPage = request.method === "GET" || request.method === "HEAD";
    if (isPage && options.fallback?.(request, reply) === true) return;
    answerUnrouted(app, request, reply);
  };

  app.addHook("onRequest", (request, reply, done) => {
    startReply(reply, request.id);
    if (!inFlight.admits(request, reply)) return;
    if (turns.hasTime || isVital(request)) receive(request, reply, done);
    else
      turns.run(() => {
        // Of a client that did not wait nothing more will come.
        if (!reply.raw.destroyed) receive(request, reply, done);
      });
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    if (state.draining) reply.header("connection", "close");
    compress(request, reply, payload, done);
  });
}

/** No text of the domain holds a NUL character, and no database column could. */
function refuseEarly(request: FastifyRequest, state: ShutdownState): Error | undefined {
  if (state.draining) {
    return new AppError("unavailable", "The server is shutting down", { retryAfterSeconds: 1 });
  }
  const { headers, httpVersionMinor, url = "/" } = request.raw;
  if (headers.host === undefined && httpVersionMinor !== 0) {
    return new AppError("bad_request", "The Host header is missing");
  }
  const nul = url.indexOf("%00");
  if (nul === -1) return undefined;
  const query = url.indexOf("?");
  if (query === -1 || nul < query) return new AppError("not_found", "Not Found");
  const msg = "Value error, NUL characters are not allowed";
  return new InvalidRequestError([{ type: "value_error", loc: ["query"], msg }]);
}
