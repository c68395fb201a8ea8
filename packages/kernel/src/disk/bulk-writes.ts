import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpApp } from "../http-app/create-http-app.ts";
import type { DiskSpace } from "./disk-space.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Writes much that can be done without: refused first when the disk runs short. */
    readonly isBulkWrite?: boolean;
  }
}

/** Refuses bulk writes before their bodies are read. To be called before there are routes. */
export function guardBulkWrites(app: HttpApp, disk: DiskSpace): void {
  app.addHook("onRoute", (route) => {
    if (route.config?.isBulkWrite !== true) return;
    const refuse = (
      _request: FastifyRequest,
      _reply: FastifyReply,
      done: (error?: Error) => void,
    ): void => done(disk.bulkProblem() ?? undefined);
    // Behind the hook of the API that says who asks.
    route.onRequest = [route.onRequest ?? [], refuse].flat();
  });
}
