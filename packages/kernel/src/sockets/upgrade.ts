import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** A request that asks for another protocol, while it is not decided whether it gets it. */
export interface Upgrade {
  readonly socket: Socket;
  /** What the peer has sent behind the request. */
  readonly head: Buffer;
}

const NOT_TAKEN = new Set(["upgrade", "http2-settings"]);

/**
 * Sends requests for a websocket through the routes like any other, so that they are checked and
 * answered the same way. The returned map holds those that are under way.
 */
export function routeUpgrades(app: FastifyInstance): WeakMap<IncomingMessage, Upgrade> {
  const pending = new WeakMap<IncomingMessage, Upgrade>();
  app.server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() !== "websocket") {
      handBack(app.server, { request, socket, head });
      return;
    }
    // Reached once per connection, unlike the lines above it.
    socket.on("error", () => {});
    pending.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // Reached only by requests that were refused.
    response.once("finish", () => socket.destroySoon());
    app.routing(request, response);
  });
  return pending;
}

/** Other protocols are not spoken here, and whoever offers one must be served as if it had not. */
function handBack(
  server: Server,
  { request, socket, head }: Upgrade & { readonly request: IncomingMessage },
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    const value = rawHeaders[i + 1] ?? "";
    if (NOT_TAKEN.has(name.toLowerCase())) continue;
    if (name.toLowerCase() === "connection") {
      const kept = value.split(",").filter((word) => !NOT_TAKEN.has(word.trim().toLowerCase()));
      if (kept.length > 0) lines.push(`${name}: ${kept.join(",")}`);
    } else lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}
