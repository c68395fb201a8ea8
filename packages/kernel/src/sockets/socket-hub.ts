import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { WebSocketServer } from "ws";
import { sleep } from "../clock/clock.ts";
import type { PageRules } from "../http/cors.ts";
import { errorBody } from "../http/error-body.ts";
import { httpStatusOf } from "../http/error-handler.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { CLOSE } from "./close-codes.ts";
import { assertOrigin } from "./handshake.ts";
import { OpenSockets } from "./open-sockets.ts";
import { PeerSocket } from "./peer-socket.ts";
import { DEFAULT_SOCKET_LIMITS, type SocketLimits } from "./socket-limits.ts";
import { routeUpgrades } from "./upgrade.ts";

export interface SocketHubOptions {
  readonly metrics: Metrics;
  readonly pages: PageRules;
  readonly limits?: Partial<SocketLimits> | undefined;
}

export interface SocketHandler {
  readonly confirmsByPong: boolean;
  /** Sub-protocols that are spoken; the first one the peer offers is taken. */
  readonly protocols: readonly string[];
  /** Resolves when there is nothing more to do for the peer. */
  readonly serve: (socket: PeerSocket, protocol: string) => Promise<void>;
}

/** All websockets of the process. */
export interface SocketHub {
  /** Answers a request with a websocket, or with a refusal. */
  readonly open: (request: FastifyRequest, reply: FastifyReply, handler: SocketHandler) => void;
}

declare module "fastify" {
  interface FastifyInstance {
    readonly webSockets: SocketHub;
  }
}

const UPGRADE_REQUIRED = 426;

export function installSockets(app: FastifyInstance, options: SocketHubOptions): void {
  const limits: SocketLimits = { ...DEFAULT_SOCKET_LIMITS, ...options.limits };
  const pending = routeUpgrades(app);
  const open = new OpenSockets(limits);
  const chosen = new WeakMap<IncomingMessage, readonly string[]>();
  // The types do not know this one yet.
  const ownDeadline = { closeTimeout: limits.closeMs };
  const server = new WebSocketServer({
    ...ownDeadline,
    noServer: true,
    clientTracking: false,
    autoPong: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    handleProtocols: (offered, request) =>
      chosen.get(request)?.find((protocol) => offered.has(protocol)) ?? false,
  });
  options.metrics.gauge({
    name: "websockets_open",
    help: "Websockets that are open",
    collect() {
      this.set(open.size);
    },
  });

  const watch = setInterval(() => {
    for (const socket of open.sockets()) socket.checkAlive();
  }, limits.pingMs);
  watch.unref();

  const run = async (
    socket: PeerSocket,
    request: FastifyRequest,
    serve: () => Promise<void>,
  ): Promise<void> => {
    try {
      await serve();
      if (isStopping) socket.close(CLOSE.restart, "The server is shutting down");
      else socket.close(CLOSE.done, "");
    } catch (error) {
      logFailure(error, request);
      socket.close(CLOSE.failed, "The server could not go on: connect again");
    }
    await socket.closed();
  };

  let isStopping = false;
  app.addHook("preClose", async () => {
    isStopping = true;
    clearInterval(watch);
    await closeAll(open, limits);
  });
  app.decorate("webSockets", {
    open(request: FastifyRequest, reply: FastifyReply, handler: SocketHandler): void {
      const upgrade = pending.get(request.raw);
      if (upgrade === undefined) {
        reply.code(UPGRADE_REQUIRED).header("upgrade", "websocket");
        reply.send(errorBody("This address is for websockets"));
        return;
      }
      assertOrigin(request, options.pages);
      const address = request.ip;
      open.assertRoom(address);
      reply.hijack();
      // Sockets have bounds of their own.
      request.slot?.release();
      reply.raw.detachSocket(upgrade.socket);
      chosen.set(request.raw, handler.protocols);
      server.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (ws) => {
        const { confirmsByPong } = handler;
        const connection = upgrade.socket;
        const onSend = (bytes: number): void => open.grow(bytes);
        const socket = new PeerSocket(ws, { limits, confirmsByPong, connection, onSend });
        connection.on("data", ({ length }: Buffer) => open.grow(length));
        const ended = run(socket, request, () => handler.serve(socket, ws.protocol));
        open.add(socket, { address, ended });
      });
    },
  } satisfies SocketHub);
}

/**
 * As with requests: what is refused for a while is no failure, and strangers could fill the log
 * with it.
 */
function logFailure(error: unknown, request: FastifyRequest): void {
  const details = { err: error, route: request.routeOptions.url };
  const status = httpStatusOf(error);
  if (status === null) request.log.error(details, "A websocket failed");
  else if (status >= 500) request.log.warn(details, "A websocket was refused");
}

/**
 * Nothing more is read; what was received is dealt with; then each peer is told, and cut if it does
 * not answer.
 */
async function closeAll(open: OpenSockets, limits: SocketLimits): Promise<void> {
  for (const socket of open.sockets()) socket.stopReading();
  const enough = new AbortController();
  await Promise.race([open.ended(), sleep(limits.stopMs, enough.signal)]);
  enough.abort();
  for (const socket of open.sockets()) socket.cut();
}
