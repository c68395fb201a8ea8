import type { FastifyReply } from "fastify";

/** Made once: an abort without a reason makes an exception with its stack for every request. */
const GONE = new Error("The connection of the request has ended");

/**
 * Fires when the connection of the request ends, so that nobody is left to take the answer. The
 * request's own signal will not do: it fires as soon as the body has been read.
 */
export function clientDisconnected({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort(GONE);
  else {
    const onClose = (): void => gone.abort(GONE);
    raw.once("close", onClose);
    raw.once("finish", () => raw.removeListener("close", onClose));
  }
  return gone.signal;
}
