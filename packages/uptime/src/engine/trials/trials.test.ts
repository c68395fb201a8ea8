import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { CheckTrialResult } from "@orchestrator/contract";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachUptimeApi } from "../../testing.ts";

/** Answers 200 to whoever brings the right header, else 503. */
async function startTarget(secret: string) {
  const server = createServer((request, response) => {
    response.statusCode = request.headers["x-api-key"] === secret ? 200 : 503;
    response.end("all is well");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const keyed = (key: string) => [{ type: "http", headers: { "x-api-key": key }, retries: 0 }];

describeEachUptimeApi("a trial of checks", (open) => {
  test("tells all that was seen and keeps nothing", async () => {
    await using api = await open();
    await using target = await startTarget("right");
    const pipeline = [{ type: "http", headers: { "x-api-key": "right" }, contains: "well" }];
    const answer = await api.post("/checks/try", { url: target.url, pipeline });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: "up",
      message: "http: 200 OK",
      details: { http: { status_code: 200, assertions: [{ passed: true }] } },
    });
    expect((await api.get("/monitors")).body).toEqual([]);
    expect(await api.events()).toEqual([]);
  });

  test("takes the secrets of a saved monitor where masks stand, for the same host only", async () => {
    await using api = await open();
    await using target = await startTarget("right");
    const body = { name: "shop", url: target.url, pipeline: keyed("right"), enabled: false };
    const { id } = (await api.post("/monitors", body)).body as { readonly id: string };
    const masked = { url: target.url, pipeline: keyed("********") };
    const known = await api.post("/checks/try", { ...masked, monitor_id: id });
    expect((known.body as CheckTrialResult).status).toBe("up");
    expect((await api.post("/checks/try", masked)).status).toBe(422);
    const elsewhere = { ...masked, url: "http://other.example.com", monitor_id: id };
    expect((await api.post("/checks/try", elsewhere)).status).toBe(422);
  });

  test("does not go where no check may go", async () => {
    await using api = await open({ settings: { probePolicy: "public-only" } });
    await using target = await startTarget("right");
    const answer = await api.post("/checks/try", { url: target.url, pipeline: keyed("right") });
    expect(answer.body).toMatchObject({ status: "down", details: { http: {} } });
    expect(JSON.stringify(answer.body)).not.toContain("right");
  });

  test("is for nobody who is not logged in", async () => {
    await using api = await open();
    const body = { url: "http://127.0.0.1:1/" };
    const answer = await api.request("POST", "/checks/try", { body, isAnonymous: true });
    expect(answer.status).toBe(401);
  });
});

describeEachUptimeApi("the next times of a schedule", (open) => {
  test("are told in its zone", async () => {
    await using api = await open({ clock: manualClock("2026-11-15T09:30:20Z") });
    const query = new URLSearchParams({ schedule: "0 9 * * MON", timezone: "Europe/Berlin" });
    expect((await api.get(`/schedules/preview?${query.toString()}&limit=2`)).body).toEqual({
      times: ["2026-11-16T08:00:00.000000Z", "2026-11-23T08:00:00.000000Z"],
    });
  });

  test("are refused where there are none", async () => {
    await using api = await open();
    for (const query of ["schedule=every+day", "schedule=0+0+31+2+*", "schedule=@daily&timezone=x"])
      expect((await api.get(`/schedules/preview?${query}`)).status).toBe(422);
  });
});
