import type { FastifyInstance } from "fastify";
import type { Metrics } from "../metrics/metrics.ts";

/** `GET /metrics` in the Prometheus text format. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get("/metrics", async (_request, reply) => {
    return reply.header("content-type", metrics.contentType).send(await metrics.text());
  });
}
