import type { FastifyInstance } from "fastify";
import type { Metrics } from "../metrics/metrics.ts";
import { type Gate, openGate } from "../scope/gate.ts";

/** `GET /metrics` in the Prometheus text format, for whoever may come in. */
export function mountMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  gate: Pick<Gate, "enter"> = openGate,
): void {
  app.get("/metrics", async (request, reply) => {
    await gate.enter(request);
    return reply.header("content-type", metrics.contentType).send(await metrics.text());
  });
}
