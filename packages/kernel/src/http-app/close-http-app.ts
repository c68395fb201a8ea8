import type { FastifyInstance } from "fastify";

const SWEEP_MS = 100;

/**
 * Stops accepting, lets the requests in flight finish and tells their clients to connect anew, and
 * after the deadline cuts whoever is left. Resolves when no connection remains.
 */
export async function closeHttpApp(app: FastifyInstance, deadlineMs: number): Promise<void> {
  // A connection whose answer had begun before turns idle only afterwards.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  const deadline = setTimeout(() => {
    for (const socket of app.sockets) socket.destroy();
  }, deadlineMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
