import type { Server } from "node:net";

/** Long enough for a hundred connections. */
const ACCEPT_MS = 10;

/**
 * The event loop takes one new connection in each of its turns. Where turns are long, a probe on a
 * connection of its own waits as many of them as others are before it, so turns without work pass
 * while connections come in, for so long and no longer.
 */
export function acceptFirst(
  server: Pick<Server, "on">,
  now: () => number = () => performance.now(),
  afterThisTurn: (work: () => void) => unknown = setImmediate,
): (work: () => void) => void {
  let accepted = 0;
  server.on("connection", () => {
    accepted += 1;
  });
  return (work) => {
    let seen = accepted;
    let endsAt: number | null = null;
    const look = (): void => {
      endsAt ??= now() + ACCEPT_MS;
      if (accepted === seen || now() >= endsAt) {
        work();
        return;
      }
      seen = accepted;
      afterThisTurn(look);
    };
    afterThisTurn(look);
  };
}
