import { expect, test } from "vitest";
import { describeEachApi } from "../../testing.ts";

describeEachApi("housekeeping", (open) => {
  test("answers who is there and what it is", async () => {
    await using api = await open();
    expect(await api.get("/health")).toMatchObject({ status: 200, body: true });
    expect(await api.get("/ready")).toMatchObject({
      status: 200,
      body: { message: "OK", loops: {} },
    });
    expect(await api.get("/hello")).toMatchObject({ status: 200, body: "👋" });
    expect(await api.get("/version")).toMatchObject({ status: 200, body: "1.0.0" });
    expect(await api.get("/admin/version")).toMatchObject({ status: 200, body: "0.0.0-test" });
    expect(await api.get("/admin/settings")).toMatchObject({
      status: 200,
      body: { server: { port: 4200 } },
    });
  });

  test("gives the versions the established clients want in their dialect", async () => {
    await using api = await open({ dialect: "prefect" });
    expect(await api.get("/version")).toMatchObject({ body: "0.8.4" });
    expect(await api.get("/admin/version")).toMatchObject({ body: expect.stringMatching(/^3\./) });
  });

  test("is not ready once the database does not answer, and still healthy", async () => {
    await using api = await open();
    await api.ctx.db.close();
    expect(await api.get("/ready")).toMatchObject({
      status: 503,
      body: { message: "Database is not available" },
    });
    expect(await api.get("/health")).toMatchObject({ status: 200, body: true });
  });

  test("tells a web UI where the API is", async () => {
    await using api = await open();
    const answer = await api.request("GET", "/ui-settings", {
      headers: { host: "server.example:4200" },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        api_url: "http://server.example:4200/api",
        csrf_enabled: false,
        auth: null,
        flags: [],
      },
    });
  });
});

describeEachApi("an address that is there to post to", (open) => {
  test("can not be read", async () => {
    await using api = await open();
    const kinds = ["flows", "deployments", "flow_runs", "task_runs", "artifacts", "logs"];
    const paths = kinds.flatMap((kind) => [`/${kind}/`, `/${kind}/filter`]);
    const id = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
    for (const path of [...paths, "/work_pools/", `/flow_runs/${id}/set_state`])
      expect([path, (await api.get(path)).status]).toEqual([path, 405]);
  });
});

describeEachApi("the API version a caller asks for", (open) => {
  test.each(["nonsense", "1.0", "1.0.0.0", "1.-1.0"])(
    "is refused when it is %j",
    async (version) => {
      await using api = await open();
      const headers = { "x-orchestrator-api-version": version };
      expect(await api.request("GET", "/hello", { headers })).toMatchObject({ status: 400 });
      expect(await api.request("GET", "/health", { headers })).toMatchObject({ status: 200 });
    },
  );

  test.each([
    ["0.7.99", 400],
    ["0.8.0", 200],
    ["0.8.4", 200],
    ["0.10.0", 200],
    ["", 200],
  ])("is %s in the other dialect: %i", async (version, status) => {
    await using api = await open({ dialect: "prefect" });
    const headers = { "x-prefect-api-version": version };
    expect(await api.request("GET", "/hello", { headers })).toMatchObject({ status });
  });
});
