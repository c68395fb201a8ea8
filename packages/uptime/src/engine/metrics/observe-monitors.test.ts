import { createMetrics } from "@orchestrator/kernel/log";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { anOutcome, scriptedTargets } from "../../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../../testing.ts";
import { Engine } from "../engine.ts";
import { observeMonitors } from "./observe-monitors.ts";

type Options = NonNullable<Parameters<OpenUptimeApi>[0]>;

async function openMeasured(open: OpenUptimeApi, settings: Options["settings"] = {}) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const targets = scriptedTargets();
  const api = await open({ clock, pipeline: targets.pipeline, settings });
  const metrics = createMetrics();
  observeMonitors(metrics, api.ctx);
  const engine = new Engine(api.ctx);
  return {
    api,
    clock,
    targets,
    engine,
    async create(name: string, more: Readonly<Record<string, unknown>> = {}) {
      const body = { name, url: "https://shop.example.com/?key=s3cret", interval: 60, ...more };
      const answer = await api.post("/monitors", body);
      expect(answer.status).toBe(201);
      return (answer.body as { readonly id: string }).id;
    },
    /** The lines about monitors. */
    async scrape(): Promise<string[]> {
      const lines = (await metrics.text()).split("\n");
      return lines.filter((line) => line.startsWith("uptime_monitor"));
    },
    async [Symbol.asyncDispose]() {
      metrics.close();
      await api[Symbol.asyncDispose]();
    },
  };
}

describeEachUptimeApi("the metrics of monitors", (open) => {
  test("tell status, duration, checks, certificate and age of the last check, by id alone", async () => {
    await using m = await openMeasured(open);
    const { api, clock, targets, engine } = m;
    const id = await m.create("Shop", { tags: ["web"] });
    await engine.sync();
    expect(await m.scrape()).toEqual([
      "uptime_monitors 1",
      `uptime_monitor_lateness_seconds{monitor="${id}"} 0`,
    ]);
    targets.answer = () => anOutcome("up", { certificate_ends: "2026-11-25T09:00:00.000000Z" });
    await api.post(`/monitors/${id}/check`);
    clock.advanceMs(1000);
    targets.answer = () => anOutcome("degraded", { elapsed_ms: 250 });
    await api.post(`/monitors/${id}/check`);
    targets.answer = () =>
      anOutcome("up", { elapsed_ms: 1500, certificate_ends: "2026-11-25T21:00:01.000000Z" });
    await api.post(`/monitors/${id}/check`);
    clock.advanceMs(600_000);
    const lines = await m.scrape();
    expect(lines.filter((line) => !line.startsWith("uptime_monitor_lateness"))).toEqual([
      "uptime_monitors 1",
      `uptime_monitor_up{monitor="${id}"} 1`,
      `uptime_monitor_seconds_since_last_check{monitor="${id}"} 600`,
      `uptime_monitor_last_duration_seconds{monitor="${id}"} 1.5`,
      expect.stringMatching(/^uptime_monitor_certificate_days_left\{monitor="[^"]*"\} 10\.49\d*$/),
      `uptime_monitor_status{monitor="${id}",status="up"} 1`,
      `uptime_monitor_checks_total{monitor="${id}",status="up"} 2`,
      `uptime_monitor_checks_total{monitor="${id}",status="degraded"} 1`,
      `uptime_monitor_checks_total{monitor="${id}",status="down"} 0`,
    ]);
    const [late = "0"] = lines.filter((line) => line.startsWith("uptime_monitor_lateness"));
    expect(Number(late.split(" ")[1])).toBeGreaterThan(500);
    expect(lines.join("\n")).not.toMatch(/Shop|web|example|s3cret/);
  });

  test("have names and tags where the settings say so, and never an address", async () => {
    await using m = await openMeasured(open, { metrics: "names" });
    const id = await m.create('Shop "one"\\', { tags: ["web", "prod"] });
    m.targets.answer = () => anOutcome("down");
    await m.engine.sync();
    await m.api.post(`/monitors/${id}/check`);
    const lines = await m.scrape();
    const labels = `monitor="${id}",name="Shop \\"one\\"\\\\",tags=",prod,web,"`;
    expect(lines).toContain(`uptime_monitor_up{${labels}} 0`);
    expect(lines).toContain(`uptime_monitor_status{${labels},status="down"} 1`);
    expect(lines.join("\n")).not.toMatch(/example|s3cret/);
  });

  test("can be switched off", async () => {
    await using m = await openMeasured(open, { metrics: "off" });
    const id = await m.create("Shop");
    await m.engine.sync();
    await m.api.post(`/monitors/${id}/check`);
    expect(await m.scrape()).toEqual([]);
  });

  test("are of so many monitors at most, and tell how many there are", async () => {
    await using m = await openMeasured(open, { metricsMonitors: 2 });
    for (const name of ["a", "b", "c"]) await m.create(name);
    await m.engine.sync();
    const lines = await m.scrape();
    expect(lines).toContain("uptime_monitors 3");
    expect(lines.filter((line) => line.startsWith("uptime_monitor_lateness"))).toHaveLength(2);
  });

  test("are of the monitors that this process checks: paused and deleted ones are gone", async () => {
    await using m = await openMeasured(open);
    const [paused, deleted, other] = [
      await m.create("a"),
      await m.create("b"),
      await m.create("c"),
    ];
    await m.engine.sync();
    for (const id of [paused, deleted, other]) await m.api.post(`/monitors/${id}/check`);
    expect(await m.scrape()).toContain("uptime_monitors 3");
    await m.api.patch(`/monitors/${paused}`, { enabled: false });
    await m.api.delete(`/monitors/${deleted}`);
    await m.engine.sync();
    const lines = await m.scrape();
    expect(lines).toContain("uptime_monitors 1");
    expect(lines.join("\n")).not.toContain(paused);
    expect(lines.join("\n")).not.toContain(deleted);
    // What is gone is forgotten.
    expect(m.api.ctx.readings.find(deleted)).toBeUndefined();
    expect(m.api.ctx.readings.find(other)).toBeDefined();
  });
});
