import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The sub-protocols of a socket under which peers say who they are in their first message. */
    readonly socketProtocols?: readonly string[];
  }
}

/** Whether the request is for a socket that will speak one of the route's sub-protocols. */
export function negotiates({ headers, raw, routeOptions }: FastifyRequest): boolean {
  const offered = headers["sec-websocket-protocol"];
  if (offered === undefined || raw.headers.upgrade === undefined) return false;
  const spoken = routeOptions.config.socketProtocols;
  if (spoken === undefined) return false;
  return offered.split(",").some((name) => spoken.includes(name.trim()));
}
