import type { FastifyReply } from "fastify";

/**
 * Fires when the connection of the request ends, so that nobody is left to take the answer. The request's own signal
 * will not do: it fires as soon as the body has been read.
 */
export function peerGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  else raw.once("close", () => gone.abort());
  return gone.signal;
}
