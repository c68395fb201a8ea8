import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { requestDurations } from "./request-durations.ts";

const SECONDS = [0, 0.0005, 0.001, 0.0011, 0.25, 0.3, 9.99, 10, 10.01, 400];

test("durations are written as a histogram of the library would write them", async () => {
  const registry = new Registry();
  const observe = requestDurations(registry)("GET", '/things/:id "quoted"');
  const expected = new Registry();
  const histogram = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the arrival of a request to the end of its response",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [expected],
  });
  for (const status of [200, 404])
    for (const seconds of SECONDS) {
      observe(status, seconds);
      histogram.labels("GET", '/things/:id "quoted"', String(status)).observe(seconds);
    }
  const lines = (text: string) => text.split("\n").toSorted();
  expect(lines(await registry.metrics())).toEqual(lines(await expected.metrics()));
});

test("a route that was not asked for has no numbers", async () => {
  const registry = new Registry();
  requestDurations(registry)("GET", "/things");
  expect(await registry.metrics()).not.toContain("/things");
});
