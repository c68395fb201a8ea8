import { expect, test } from "vitest";
import { mountMetrics } from "../http/metrics-route.ts";
import { testHttpApp } from "../testing/test-http-app.ts";
import { createMetrics } from "./metrics.ts";

test("request durations are counted by method, route and status, not by address", async () => {
  await using t = testHttpApp({
    routes: (api) => {
      api.get("/things/:id", async (_request, reply) => reply.code(418).send({}));
    },
  });
  mountMetrics(t.app, t.metrics);
  await t.app.inject("/api/things/1");
  await t.app.inject("/api/things/2");
  await t.app.inject("/nowhere/3");
  await t.app.inject("/nowhere/4");
  const response = await t.app.inject("/metrics");
  expect(response.headers["content-type"]).toMatch(/^text\/plain; version=0.0.4/);
  expect(response.body).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/things/:id",status="418"} 2',
  );
  expect(response.body).toContain(
    'http_request_duration_seconds_count{method="*",route="unrouted",status="404"} 2',
  );
  expect(response.body).not.toContain("nowhere");
});

test("the process tells its CPU time, memory and event loop", async () => {
  const metrics = createMetrics();
  const text = await metrics.text();
  metrics.close();
  for (const name of [
    "process_cpu_seconds_total",
    "process_resident_memory_bytes",
    "process_start_time_seconds",
    "nodejs_heap_used_bytes",
    "nodejs_eventloop_utilization",
    "nodejs_eventloop_lag_max_seconds",
  ]) {
    expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
  }
});

test("two registries in one process do not share numbers", async () => {
  const first = createMetrics();
  const second = createMetrics();
  first.counter({ name: "things_total", help: "Things" }).inc(3);
  second.counter({ name: "things_total", help: "Things" }).inc(5);
  expect(await first.text()).toContain("things_total 3");
  expect(await second.text()).toContain("things_total 5");
  first.close();
  second.close();
});

test("counters, gauges and histograms of other parts appear beside the built-in ones", async () => {
  const metrics = createMetrics();
  metrics.gauge({ name: "queue_length", help: "Waiting" }).set(7);
  metrics.histogram({ name: "batch_rows", help: "Rows", buckets: [1, 10] }).observe(4);
  const text = await metrics.text();
  metrics.close();
  expect(text).toContain("queue_length 7");
  expect(text).toContain('batch_rows_bucket{le="10"} 1');
});
