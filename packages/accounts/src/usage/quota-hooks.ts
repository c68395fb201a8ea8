import type { HttpApp } from "@orchestrator/kernel/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { QuotaKeeper } from "./quota-keeper.ts";
import { quotasOfOperation } from "./quotas.rules.ts";

/** Refuses what would add to a quota that is used up. To be called before any route is there. */
export function installQuotas(app: HttpApp, keeper: QuotaKeeper): void {
  app.addHook("onRoute", (route) => {
    const [method = ""] = [route.method].flat();
    // Sockets are asked again and again by the gate.
    const quotas = method === "GET" ? [] : quotasOfOperation(method, route.url);
    if (quotas.length === 0) return;
    route.preHandler = [
      (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
        const problem = keeper.problem(request.scope.workspaceId, quotas);
        if (problem !== null) {
          done(problem);
          return;
        }
        keeper.noteBytes(request.scope.workspaceId, Number(request.headers["content-length"] ?? 0));
        done();
      },
      ...[route.preHandler ?? []].flat(),
    ];
  });
}
