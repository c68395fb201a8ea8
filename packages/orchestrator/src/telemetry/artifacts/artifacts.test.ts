import { randomUUID } from "node:crypto";
import { ArtifactCollectionFilter, ArtifactFilter } from "@orchestrator/contract";
import { openScope } from "@orchestrator/kernel/scope";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { ARTIFACT_LIST, LATEST_ARTIFACT_LIST } from "./artifacts.filter.ts";
import { findArtifactData, insertResultArtifact } from "./artifacts.store.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const RUN = "0193aa00-0000-7000-8000-00000000000a";
const TASK = "0193aa00-0000-7000-8000-00000000000b";

interface ArtifactBody {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly key: string | null;
  readonly data: unknown;
}

interface CollectionBody extends ArtifactBody {
  readonly latest_id: string;
}

async function create(api: TestApi, body: object = {}): Promise<ArtifactBody> {
  const answer = await api.post("/artifacts/", body);
  expect(answer.status).toBe(201);
  return answer.body as ArtifactBody;
}

async function latest(api: TestApi, key: string): Promise<CollectionBody> {
  const answer = await api.get(`/artifacts/${key}/latest`);
  expect(answer.status).toBe(200);
  return answer.body as CollectionBody;
}

async function list(api: TestApi, path: string, body: unknown): Promise<unknown[]> {
  const answer = await api.post(path, body);
  expect(answer.status).toBe(200);
  return (answer.body as ArtifactBody[]).map(({ data }) => data);
}

describeEachApi("artifacts", (open) => {
  test("have a size that ends somewhere, and so have lists of them", async () => {
    await using api = await open();
    const data = "x".repeat(8 * 1024 * 1024 - 2);
    expect((await api.post("/artifacts/", { data: `${data}x` })).status).toBe(422);
    const { id } = await create(api, { data });
    expect((await api.patch(`/artifacts/${id}`, { data: `${data}x` })).status).toBe(422);
    for (let i = 0; i < 4; i += 1) await create(api, { key: `key-${i}`, data });
    for (const path of ["/artifacts/filter", "/artifacts/latest/filter"]) {
      expect(await api.post(path, {})).toMatchObject({
        status: 413,
        body: { detail: expect.stringMatching("lower limit") },
      });
      expect(await list(api, path, { limit: 2, offset: 1 })).toEqual([data, data]);
      const without = { include_data: false, limit: 4 };
      expect(await list(api, path, without)).toEqual([null, null, null, null]);
    }
  });

  test("are created with 201 and read back the same", async () => {
    await using api = await open();
    const given = {
      key: "daily-report",
      type: "table",
      description: "# Report",
      data: '[{"a": 1}]',
      metadata_: { source: "x" },
      flow_run_id: RUN,
      task_run_id: TASK,
    };
    const answer = await api.post("/artifacts/", given);
    const { id, created } = answer.body as ArtifactBody;
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body).toEqual({ id, created, updated: created, ...given });
    expect(await api.get(`/artifacts/${id}`)).toMatchObject({ status: 200, body: answer.body });
  });

  test("are told of without their data where it is long", async () => {
    await using api = await open();
    const description = `first${"d".repeat(200_000)}last`;
    await create(api, { key: "big", type: "markdown", data: "x".repeat(600_000), description });
    const [event] = await api.events();
    expect(event).toMatchObject({ payload: { key: "big", type: "markdown", data: null } });
    expect(JSON.stringify(event).length).toBeLessThan(110_000);
  });

  test("need no field at all", async () => {
    await using api = await open();
    const artifact = await create(api);
    expect(artifact).toMatchObject({ key: null, data: null });
    expect((await api.get(`/artifacts/${artifact.id}`)).body).toEqual(artifact);
    expect(await api.events()).toEqual([]);
  });

  const DATA = ["markdown *text*", 0.25, true, null, [1, [null]], { "a b": { "": "ünï 🚀" } }];
  test.each(DATA.map((data) => ({ data })))("keep the data $data as it is", async ({ data }) => {
    await using api = await open();
    const { id } = await create(api, { data });
    expect(((await api.get(`/artifacts/${id}`)).body as ArtifactBody).data).toEqual(data);
  });

  test("have metadata of texts, of which long ones are cut", async () => {
    await using api = await open();
    const long = "x".repeat(600);
    const cut = `${"x".repeat(500)}...`;
    const { id } = await create(api, { metadata_: { long, short: "y" } });
    expect(await api.get(`/artifacts/${id}`)).toMatchObject({
      body: { metadata_: { long: cut, short: "y" } },
    });
    await api.patch(`/artifacts/${id}`, { metadata_: { other: long } });
    expect((await api.get(`/artifacts/${id}`)).body).toMatchObject({ metadata_: { other: cut } });
  });

  test.each([
    [{ key: "Report" }, ["body", "key"], "string_pattern_mismatch"],
    [{ key: "" }, ["body", "key"], "string_too_short"],
    [{ metadata_: { a: 1 } }, ["body", "metadata_", "a"], "string_type"],
    [{ metadata_: [] }, ["body", "metadata_"], "dict_type"],
    [{ flow_run_id: "x" }, ["body", "flow_run_id"], "uuid_parsing"],
    [{ colour: "red" }, ["body", "colour"], "extra_forbidden"],
  ])("are refused from %j", async (body, loc, type) => {
    await using api = await open();
    expect(await api.post("/artifacts/", body)).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc, type }] },
    });
    expect(await api.post("/artifacts/count")).toMatchObject({ body: 0 });
  });

  test("change only in the fields that are given", async () => {
    await using api = await open();
    const before = await create(api, { type: "progress", description: "d", data: 1 });
    const path = `/artifacts/${before.id}`;
    expect(await api.patch(path, { data: 50 })).toMatchObject({ status: 204 });
    expect((await api.get(path)).body).toMatchObject({
      ...before,
      updated: expect.any(String),
      data: 50,
    });
    expect(await api.patch(path, { data: null, description: null })).toMatchObject({ status: 204 });
    expect((await api.get(path)).body).toMatchObject({
      type: "progress",
      data: null,
      description: null,
    });
    expect(await api.patch(path, { key: "other" })).toMatchObject({ status: 422 });
  });

  test("that do not exist are not found", async () => {
    await using api = await open();
    for (const id of [UNKNOWN_ID, "not-an-id"]) {
      for (const method of ["GET", "PATCH", "DELETE"]) {
        const options = method === "PATCH" ? { body: { data: 1 } } : {};
        expect(await api.request(method, `/artifacts/${id}`, options)).toMatchObject({
          status: 404,
          body: { detail: expect.any(String) },
        });
      }
    }
    expect(await api.get("/artifacts/no-such-key/latest")).toMatchObject({ status: 404 });
  });
});

describeEachApi("the artifacts of one key", (open) => {
  test("have one collection that shows the newest of them", async () => {
    await using api = await open();
    const first = await create(api, { key: "report", type: "markdown", data: "one" });
    const before = await latest(api, "report");
    expect(before).toEqual({
      ...first,
      id: expect.any(String),
      latest_id: first.id,
    });
    const second = await create(api, { key: "report", data: "two", flow_run_id: RUN });
    expect(await latest(api, "report")).toMatchObject({
      id: before.id,
      created: before.created,
      updated: second.created,
      latest_id: second.id,
      type: null,
      data: "two",
      flow_run_id: RUN,
    });
    expect(await api.post("/artifacts/latest/count")).toMatchObject({ body: 1 });
    expect(await api.post("/artifacts/count")).toMatchObject({ body: 2 });
  });

  test("that are created at the same time leave one collection, and it points at the newest", async () => {
    await using api = await open();
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, data) => create(api, { key: "report", data })),
    );
    const newest = all
      .map(({ id }) => id)
      .toSorted()
      .at(-1);
    expect(await api.post("/artifacts/latest/count")).toMatchObject({ body: 1 });
    expect(await latest(api, "report")).toMatchObject({ latest_id: newest });
  });

  test("may be created and deleted at the same time, and the collection still points at the newest", async () => {
    await using api = await open();
    const old = await Promise.all(
      Array.from({ length: 6 }, (_, data) => create(api, { key: "report", data })),
    );
    const changes = old.flatMap(({ id }) => [
      api.delete(`/artifacts/${id}`),
      api.post("/artifacts/", { key: "report" }),
    ]);
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.every((status) => status === 201 || status === 204)).toBe(true);
    const rest = (await api.post("/artifacts/filter")).body as ArtifactBody[];
    expect(rest).toHaveLength(6);
    expect(await latest(api, "report")).toMatchObject({ latest_id: rest[0]?.id });
  });

  test("show a change in the collection when it is of the newest", async () => {
    await using api = await open();
    const first = await create(api, { key: "report", data: 1 });
    const second = await create(api, { key: "report", data: 2 });
    await api.patch(`/artifacts/${first.id}`, { data: "late" });
    expect(await latest(api, "report")).toMatchObject({ data: 2, updated: second.created });
    await api.patch(`/artifacts/${second.id}`, { data: "new", description: "d" });
    const { body } = await api.get(`/artifacts/${second.id}`);
    expect(await latest(api, "report")).toMatchObject({
      data: "new",
      description: "d",
      updated: (body as ArtifactBody).updated,
    });
  });

  test("give way to the next newest when the newest is deleted, and the last takes the collection along", async () => {
    await using api = await open();
    const [first, second, third] = [
      await create(api, { key: "report", data: 1 }),
      await create(api, { key: "report", data: 2 }),
      await create(api, { key: "report", data: 3 }),
    ];
    const { id } = await latest(api, "report");
    expect(await api.delete(`/artifacts/${second.id}`)).toMatchObject({ status: 204 });
    expect(await latest(api, "report")).toMatchObject({ id, latest_id: third.id });
    await api.delete(`/artifacts/${third.id}`);
    expect(await latest(api, "report")).toMatchObject({ id, latest_id: first.id, data: 1 });
    await api.delete(`/artifacts/${first.id}`);
    expect(await api.get("/artifacts/report/latest")).toMatchObject({ status: 404 });
    expect(await api.post("/artifacts/latest/count")).toMatchObject({ body: 0 });
  });

  test("tell of each change of their collection in one event, and of no change in none", async () => {
    await using api = await open();
    const first = await create(api, { key: "report", data: { a: 1 }, type: "t", flow_run_id: RUN });
    const { id } = await latest(api, "report");
    const second = await create(api, {
      key: "report",
      data: 2,
      description: "d",
      task_run_id: TASK,
    });
    await api.patch(`/artifacts/${first.id}`, { data: 0 });
    await api.patch(`/artifacts/${second.id}`, { data: 2, description: "d" });
    await api.patch(`/artifacts/${second.id}`, { data: 3 });
    await api.delete(`/artifacts/${second.id}`);
    await api.delete(`/artifacts/${first.id}`);
    const resource = {
      "orchestrator.resource.id": `orchestrator.artifact-collection.${id}`,
      "orchestrator.resource.name": "report",
    };
    const related = (kind: string, role: string, of: string) => ({
      "orchestrator.resource.id": `orchestrator.${kind}.${of}`,
      "orchestrator.resource.role": role,
    });
    const event = (verb: string) => `orchestrator.artifact-collection.${verb}`;
    expect(await api.events()).toMatchObject([
      {
        event: event("created"),
        resource,
        payload: { key: "report", type: "t", data: { a: 1 }, description: null },
        related: [related("artifact", "latest", first.id), related("flow-run", "flow-run", RUN)],
      },
      {
        event: event("updated"),
        resource,
        payload: { key: "report", type: null, data: 2, description: "d" },
        related: [related("artifact", "latest", second.id), related("task-run", "task-run", TASK)],
      },
      { event: event("updated"), payload: { data: 3 } },
      { event: event("updated"), payload: { data: 0 } },
      { event: event("deleted"), payload: { key: "report", data: 0 } },
    ]);
  });
});

describeEachApi("lists of artifacts", (open) => {
  async function openWithFour(): Promise<TestApi> {
    const api = await open();
    await create(api, { data: 1, key: "beta", type: "markdown", flow_run_id: RUN });
    await create(api, { data: 2, key: "alpha", type: "table", task_run_id: TASK });
    await create(api, { data: 3, type: "result", flow_run_id: RUN });
    await create(api, { data: 4, key: "beta", type: "link" });
    return api;
  }

  test("come newest first unless told otherwise", async () => {
    await using api = await openWithFour();
    const path = "/artifacts/filter";
    expect(await list(api, path, {})).toEqual([4, 3, 2, 1]);
    expect(await list(api, path, { sort: "CREATED_DESC" })).toEqual([4, 3, 2, 1]);
    expect(await list(api, path, { sort: "UPDATED_DESC" })).toEqual([4, 3, 2, 1]);
    expect(await list(api, path, { sort: "KEY_ASC" })).toEqual([2, 1, 4, 3]);
    expect(await list(api, path, { sort: "KEY_DESC" })).toEqual([3, 4, 1, 2]);
    expect(await list(api, path, { limit: 2, offset: 1 })).toEqual([3, 2]);
    expect(await list(api, "/artifacts/latest/filter", { sort: "KEY_ASC" })).toEqual([2, 4]);
    expect(await list(api, "/artifacts/latest/filter", {})).toEqual([2, 4]);
  });

  test("hold what the filter asks for, all of them or the latest only", async () => {
    await using api = await openWithFour();
    const FOUND: readonly (readonly [object, readonly number[], readonly number[]])[] = [
      [{ key: { any_: ["beta", "nobody"] } }, [4, 1], [4]],
      [{ key: { any_: [] } }, [], []],
      [{ key: { like_: "ALPH" } }, [2], [2]],
      [{ key: { like_: "A%PH_" } }, [2], [2]],
      [{ key: { like_: "a%b" } }, [], []],
      [{ key: { exists_: true } }, [4, 2, 1], [2, 4]],
      [{ key: { exists_: false } }, [3], []],
      [{ flow_run_id: { any_: [RUN] } }, [3, 1], []],
      [{ task_run_id: { any_: [TASK, RUN] } }, [2], [2]],
      [{ type: { any_: ["markdown", "link"] } }, [4, 1], [4]],
      [{ type: { not_any_: ["result", "table"] } }, [4, 1], [4]],
      [{ operator: "or_", type: { any_: ["table"] }, key: { any_: ["beta"] } }, [4, 2, 1], [2, 4]],
    ];
    for (const [artifacts, all, newest] of FOUND) {
      const found = await list(api, "/artifacts/filter", { artifacts });
      const foundLatest = await list(api, "/artifacts/latest/filter", { artifacts });
      expect([artifacts, found, foundLatest]).toEqual([artifacts, all, newest]);
      expect((await api.post("/artifacts/count", { artifacts })).body).toBe(all.length);
      expect((await api.post("/artifacts/latest/count", { artifacts })).body).toBe(newest.length);
    }
  });

  test("filter by id, and the latest by the artifact's id", async () => {
    await using api = await open();
    const { id } = await create(api, { key: "one", data: 1 });
    const { id: second } = await create(api, { key: "one", data: 2 });
    const any_ = [id, UNKNOWN_ID];
    expect(await list(api, "/artifacts/filter", { artifacts: { id: { any_ } } })).toEqual([1]);
    const path = "/artifacts/latest/filter";
    expect(await list(api, path, { artifacts: { latest_id: { any_ } } })).toEqual([]);
    expect(await list(api, path, { artifacts: { latest_id: { any_: [second] } } })).toEqual([2]);
  });

  test("take conditions on the resources around them, and the one key filter", async () => {
    await using api = await openWithFour();
    const unasked = { flows: null, flow_runs: null, task_runs: null, deployments: null };
    expect(await list(api, "/artifacts/filter", unasked)).toHaveLength(4);
    expect(await list(api, "/artifacts/filter", { task_runs: {} })).toEqual([]);
    const filter = { key: { any_: ["alpha"] } };
    expect(await list(api, "/artifacts/filter", { filter })).toEqual([2]);
    expect(await list(api, "/artifacts/latest/filter", { filter })).toEqual([2]);
    expect(await api.post("/artifacts/filter", { flows: { colour: {} } })).toMatchObject({
      status: 422,
    });
  });

  test.each([
    ["/artifacts/filter", { limit: 201 }, ["body", "limit"]],
    ["/artifacts/filter", { sort: "DATA_ASC" }, ["body", "sort"]],
    ["/artifacts/filter", { artifacts: { latest_id: {} } }, ["body", "artifacts", "latest_id"]],
    ["/artifacts/latest/filter", { artifacts: { id: {} } }, ["body", "artifacts", "id"]],
    ["/artifacts/latest/count", { artifacts: { x: {} } }, ["body", "artifacts", "x"]],
  ])("at %s refuse %j", async (path, body, loc) => {
    await using api = await open();
    expect(await api.post(path, body)).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc }] },
    });
  });
});

describeEachApi("a result of a run", (open) => {
  async function keep(api: TestApi, result: Parameters<typeof insertResultArtifact>[1]["result"]) {
    const { ctx } = api;
    const artifact = {
      id: ctx.ids.uuid7(),
      collectionId: ctx.ids.uuid7(),
      now: ctx.clock.now(),
      result,
      flow_run_id: RUN,
      task_run_id: null,
    };
    const { workspaceId } = openScope("");
    const change = await ctx.db.write(workspaceId, (tx) => insertResultArtifact(tx, artifact));
    return { id: artifact.id, change, queries: ctx.db.in(workspaceId) };
  }

  test("is kept as an artifact of the run, and its data can be read alone", async () => {
    await using api = await open();
    const { id, change, queries } = await keep(api, { storage_key: "x", n: [1, null] });
    expect(change).toBeNull();
    expect(await api.get(`/artifacts/${id}`)).toMatchObject({
      body: { key: null, type: null, flow_run_id: RUN, data: { storage_key: "x", n: [1, null] } },
    });
    const data = await findArtifactData(queries, id);
    expect(JSON.parse(data ?? "")).toEqual({ storage_key: "x", n: [1, null] });
    expect(await findArtifactData(queries, UNKNOWN_ID)).toBeNull();
  });

  test("may bring a key, a type and a description of its own", async () => {
    await using api = await open();
    const result = { a: 1, artifact_key: "sum", artifact_type: "table", artifact_description: "d" };
    const { id, change } = await keep(api, result);
    expect(change).toMatchObject({ verb: "created", key: "sum" });
    expect(await latest(api, "sum")).toMatchObject({
      latest_id: id,
      type: "table",
      description: "d",
      data: { a: 1 },
    });
  });

  test("that names a type which is too long for one is kept without it", async () => {
    await using api = await open();
    const artifact_type = Array.from({ length: 100 }, () => randomUUID()).join("");
    const { id } = await keep(api, { a: 1, artifact_type });
    expect(await api.get(`/artifacts/${id}`)).toMatchObject({
      body: { type: null, data: { a: 1 } },
    });
  });
});

test("the contract and the lists know the same attributes and operators", () => {
  expect(describeListFilter(ARTIFACT_LIST)).toEqual(describeFilterSchema(ArtifactFilter));
  expect(describeListFilter(LATEST_ARTIFACT_LIST)).toEqual(
    describeFilterSchema(ArtifactCollectionFilter),
  );
});
