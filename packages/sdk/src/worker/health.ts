// A page for whoever looks after processes: 200 while the server answers the worker, else 503.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { RunningWorker } from "./worker.ts";

export interface HealthAddress {
  readonly host: string;
  readonly port: number;
}

const OK = 200;
const UNAVAILABLE = 503;

export async function serveHealth(
  worker: RunningWorker,
  { host, port }: HealthAddress,
): Promise<Server> {
  const server = createServer((_, response) => {
    const isHealthy = worker.isHealthy();
    response.writeHead(isHealthy ? OK : UNAVAILABLE, { "content-type": "application/json" });
    const message = isHealthy ? "OK" : "The server has not answered of late";
    response.end(`${JSON.stringify({ message, under_way: worker.underWay() })}\n`);
  });
  server.listen({ host, port });
  await once(server, "listening");
  return server;
}
