import type { ApiInstance } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../context.ts";

/**
 * The first requests after a gap in the server's hearing wait until that is noted: a lease that
 * they renew would have run out otherwise, and a pause that they end would be over.
 */
export function noteGapsFirst(api: ApiInstance, ctx: OrchestratorContext): void {
  api.addHook("preHandler", (request, _reply, done) => {
    if (request.method === "GET" || !ctx.hearing.isStale()) {
      done();
      return;
    }
    // Where it cannot be noted, the request finds out by itself that the database is away.
    const goOn = (): void => done();
    ctx.hearing.listen().then(goOn, goOn);
  });
}
