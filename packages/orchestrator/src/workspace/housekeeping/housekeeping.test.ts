import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";

const FULL_DISK = /^The disk .* is full, so nothing was written: free some space on it$/;

/**
 * Each engine says of every insert what it says on a disk without room; calling what it returns
 * makes room again.
 */
async function fillDisk({ ctx: { db } }: TestApi): Promise<() => Promise<void>> {
  const run = (sql: string) => db.exclusively((session) => session.rows(sql));
  if (db.dialect.name === "sqlite") {
    await run("pragma max_page_count = 1");
    return async () => void (await run("pragma max_page_count = 1000000"));
  }
  await run(`create function refuse_as_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  for (const table of ["write_probes", "variables"])
    await run(
      `create trigger full_disk before insert on ${table} execute function refuse_as_full()`,
    );
  return async () => void (await run("drop function refuse_as_full() cascade"));
}

describeEachApi("housekeeping", (open) => {
  test("answers who is there and what it is", async () => {
    await using api = await open({ isAlone: true });
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
    await using api = await open({ isAlone: true });
    await api.ctx.db.close();
    expect(await api.get("/ready")).toMatchObject({
      status: 503,
      body: { message: "Database is not available" },
    });
    expect(await api.get("/health")).toMatchObject({ status: 200, body: true });
  });

  test("is not ready while the disk is full, and both that and a refused write name the disk", async () => {
    await using api = await open({ isAlone: true });
    const free = await fillDisk(api);
    expect(await api.get("/ready")).toMatchObject({
      status: 503,
      body: { message: "Database is not available", reason: expect.stringMatching(FULL_DISK) },
    });
    const value = "x".repeat(4500);
    expect(await api.post("/variables/", { name: "a", value })).toMatchObject({
      status: 503,
      headers: { "retry-after": "1" },
      body: { detail: expect.stringMatching(FULL_DISK), exception_message: "Service Unavailable" },
    });
    expect(await api.post("/variables/filter", {})).toMatchObject({ status: 200, body: [] });
    await free();
    expect(await api.get("/ready")).toMatchObject({ status: 200, body: { message: "OK" } });
  });

  test("tells a web UI where the API is", async () => {
    await using api = await open({ isAlone: true });
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
    await using api = await open({ isAlone: true });
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
      await using api = await open({ isAlone: true });
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
