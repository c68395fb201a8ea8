import type { FastifyRequest } from "fastify";

/**
 * The path that was asked for as the sender wrote it: it may name the workspace, of which the
 * routes see nothing.
 */
export function requestedPath({ originalUrl }: Pick<FastifyRequest, "originalUrl">): string {
  const [path = ""] = originalUrl.split("?", 1);
  return path.replace(/\/+$/, "");
}
