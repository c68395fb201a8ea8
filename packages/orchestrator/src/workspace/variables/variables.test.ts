import { VariableFilter } from "@orchestrator/contract";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { VARIABLE_LIST } from "./variables.filter.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

interface VariableBody {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly value: unknown;
  readonly tags: readonly string[];
}

async function create(
  api: TestApi,
  name: string,
  value: unknown = "v",
  tags: readonly string[] = [],
) {
  const { status, body } = await api.post("/variables/", { name, value, tags });
  expect(status).toBe(201);
  return body as VariableBody;
}

async function names(api: TestApi, body: unknown): Promise<string[]> {
  const answer = await api.post("/variables/filter", body);
  expect(answer.status).toBe(200);
  return (answer.body as VariableBody[]).map(({ name }) => name);
}

describeEachApi("variables", (open) => {
  test("creates a variable and answers 201 with the record", async () => {
    await using api = await open();
    const answer = await api.post("/variables/", {
      name: "region",
      value: { a: [1, null] },
      tags: ["x", "y"],
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      updated: (answer.body as VariableBody).created,
      name: "region",
      value: { a: [1, null] },
      tags: ["x", "y"],
    });
  });

  test("reads it back by id and by name, the same as it was answered", async () => {
    await using api = await open();
    const variable = await create(api, "region", ["eu", 1.5, true, null, { deep: {} }], ["x"]);
    expect(await api.get(`/variables/${variable.id}`)).toMatchObject({
      status: 200,
      body: variable,
    });
    expect(await api.get("/variables/name/region")).toMatchObject({ status: 200, body: variable });
  });

  test("takes an id in any spelling of a UUID", async () => {
    await using api = await open();
    const { id } = await create(api, "region");
    const answer = await api.get(`/variables/${id.toUpperCase().replaceAll("-", "")}`);
    expect(answer).toMatchObject({ status: 200, body: { id } });
  });

  const VALUES = [
    "text with “quotes”, \\ and ünïcödé 🚀",
    "",
    0,
    -1.25e-7,
    true,
    null,
    [],
    {},
    { "a b": { "": [] } },
  ];
  test.each(VALUES.map((value) => ({ value })))(
    "keeps the value $value as it is",
    async ({ value }) => {
      await using api = await open();
      const { id } = await create(api, "any", value);
      const answer = await api.get(`/variables/${id}`);
      expect((answer.body as VariableBody).value).toEqual(value);
    },
  );

  test("refuses a second variable of the same name and changes nothing", async () => {
    await using api = await open();
    await create(api, "region", "first");
    const answer = await api.post("/variables/", { name: "region", value: "second" });
    expect(answer).toMatchObject({
      status: 409,
      body: { detail: "A variable named region already exists" },
    });
    expect(await api.get("/variables/name/region")).toMatchObject({ body: { value: "first" } });
    expect(await api.events()).toHaveLength(1);
  });

  test("lets one of many concurrent creates of a name win", async () => {
    await using api = await open();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, value) => api.post("/variables/", { name: "region", value })),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await api.events()).toHaveLength(1);
  });

  test.each([
    [{ value: 1 }, ["body", "name"], "missing"],
    [{ name: "x" }, ["body", "value"], "missing"],
    [{ name: "", value: 1 }, ["body", "name"], "string_too_short"],
    [{ name: "Region", value: 1 }, ["body", "name"], "string_pattern_mismatch"],
    [{ name: "a b", value: 1 }, ["body", "name"], "string_pattern_mismatch"],
    [{ name: "a".repeat(256), value: 1 }, ["body", "name"], "string_too_long"],
    [{ name: 5, value: 1 }, ["body", "name"], "string_type"],
    [{ name: "x", value: "v".repeat(4999) }, ["body", "value"], "value_error"],
    [{ name: "x", value: 1, tags: "t" }, ["body", "tags"], "list_type"],
    [{ name: "x", value: 1, tags: [1] }, ["body", "tags", 0], "string_type"],
    [{ name: "x", value: 1, colour: "red" }, ["body", "colour"], "extra_forbidden"],
  ])("refuses to create from %j", async (body, loc, type) => {
    await using api = await open();
    const answer = await api.post("/variables/", body);
    expect(answer).toMatchObject({ status: 422, body: { exception_detail: [{ loc, type }] } });
    expect(await api.post("/variables/count")).toMatchObject({ body: 0 });
  });

  test("takes a name of 255 characters and a value of 5000", async () => {
    await using api = await open();
    const name = "n".repeat(255);
    await create(api, name, "v".repeat(4998));
    expect(await api.get(`/variables/name/${name}`)).toMatchObject({ status: 200 });
  });

  test("changes only the fields that are given", async () => {
    await using api = await open();
    const before = await create(api, "region", "eu", ["x"]);
    expect(await api.patch(`/variables/${before.id}`, { value: null })).toMatchObject({
      status: 204,
    });
    expect(await api.patch("/variables/name/region", { name: "zone", tags: [] })).toMatchObject({
      status: 204,
    });
    const { body } = await api.get(`/variables/${before.id}`);
    expect(body).toMatchObject({
      id: before.id,
      created: before.created,
      name: "zone",
      value: null,
      tags: [],
    });
    expect((body as VariableBody).updated >= before.updated).toBe(true);
  });

  test("takes null for a name or tags in an update as not given", async () => {
    await using api = await open();
    const { id } = await create(api, "region", "eu", ["x"]);
    expect(await api.patch(`/variables/${id}`, { name: null, tags: null, value: 2 })).toMatchObject(
      { status: 204 },
    );
    expect(await api.get(`/variables/${id}`)).toMatchObject({
      body: { name: "region", value: 2, tags: ["x"] },
    });
  });

  test("refuses to rename a variable to a name that is taken", async () => {
    await using api = await open();
    await create(api, "taken");
    const { id } = await create(api, "region");
    expect(await api.patch(`/variables/${id}`, { name: "taken" })).toMatchObject({
      status: 409,
      body: { detail: "A variable named taken already exists" },
    });
    expect(await api.get(`/variables/${id}`)).toMatchObject({ body: { name: "region" } });
  });

  test("deletes by id and by name", async () => {
    await using api = await open();
    const { id } = await create(api, "one");
    await create(api, "two");
    expect(await api.delete(`/variables/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await api.delete("/variables/name/two")).toMatchObject({ status: 204, body: undefined });
    expect(await api.post("/variables/count")).toMatchObject({ body: 0 });
  });

  test.each(["GET", "PATCH", "DELETE"])(
    "answers 404 to %s of what does not exist",
    async (method) => {
      await using api = await open();
      const options = method === "PATCH" ? { body: { value: 1 } } : {};
      for (const path of [
        `/variables/${UNKNOWN_ID}`,
        "/variables/name/nobody",
        "/variables/not-an-id",
      ]) {
        const answer = await api.request(method, path, options);
        expect(answer).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
      }
    },
  );

  test("tells of each change in one event, and of no change in none", async () => {
    await using api = await open();
    const { id } = await create(api, "region", { a: 1 }, ["x"]);
    await api.patch(`/variables/${id}`, { value: 2 });
    await api.patch(`/variables/${id}`, { value: 2, tags: ["x"] });
    await api.patch(`/variables/${id}`, {});
    await api.delete(`/variables/${id}`);
    const resource = {
      "orchestrator.resource.id": `orchestrator.variable.${id}`,
      "orchestrator.resource.name": "region",
    };
    expect(await api.events()).toMatchObject([
      {
        event: "orchestrator.variable.created",
        resource,
        payload: { name: "region", value: { a: 1 }, tags: ["x"] },
      },
      {
        event: "orchestrator.variable.updated",
        resource,
        payload: { name: "region", value: 2, tags: ["x"] },
      },
      {
        event: "orchestrator.variable.deleted",
        resource,
        payload: { name: "region", value: 2, tags: ["x"] },
      },
    ]);
  });

  test("speaks with the other prefix in the other dialect", async () => {
    await using api = await open({ dialect: "prefect" });
    const { id } = await create(api, "region");
    expect(await api.events()).toMatchObject([
      {
        event: "prefect.variable.created",
        resource: { "prefect.resource.id": `prefect.variable.${id}` },
      },
    ]);
  });
});

describeEachApi("lists of variables", (open) => {
  async function openWithThree(): Promise<TestApi> {
    const api = await open();
    await create(api, "beta", 2, ["x", "y"]);
    await create(api, "alpha", 1, ["x"]);
    await create(api, "gamma_3", 3);
    return api;
  }

  test("come sorted by name unless told otherwise", async () => {
    await using api = await openWithThree();
    expect(await names(api, {})).toEqual(["alpha", "beta", "gamma_3"]);
    expect(await names(api, { sort: "NAME_DESC" })).toEqual(["gamma_3", "beta", "alpha"]);
    expect(await names(api, { sort: "CREATED_DESC" })).toHaveLength(3);
  });

  test("take no body at all, and null for everything", async () => {
    await using api = await openWithThree();
    expect(await api.request("POST", "/variables/filter")).toMatchObject({ status: 200 });
    expect(
      await names(api, { variables: null, sort: null, limit: null, offset: null }),
    ).toHaveLength(3);
  });

  test.each([
    [{ name: { any_: ["alpha", "beta", "nobody"] } }, ["alpha", "beta"]],
    [{ name: { any_: [] } }, []],
    [{ name: { like_: "ALPH" } }, ["alpha"]],
    [{ name: { like_: "a_3" } }, ["gamma_3"]],
    [{ name: { like_: "%" } }, ["alpha", "beta", "gamma_3"]],
    [{ name: { like_: "B%a" } }, ["beta"]],
    [{ name: { like_: "a_p" } }, ["alpha"]],
    [{ tags: { all_: ["x"] } }, ["alpha", "beta"]],
    [{ tags: { all_: ["x", "y"] } }, ["beta"]],
    [{ tags: { any_: ["y", "z"] } }, ["beta"]],
    [{ tags: { is_null_: true } }, ["gamma_3"]],
    [{ tags: { is_null_: false } }, ["alpha", "beta"]],
    [{ tags: { is_null_: true, all_: ["y"], operator: "or_" } }, ["beta", "gamma_3"]],
    [{ name: { any_: ["alpha"] }, tags: { all_: ["y"] } }, []],
    [{ operator: "or_", name: { any_: ["alpha"] }, tags: { all_: ["y"] } }, ["alpha", "beta"]],
    [{ name: null, tags: { all_: null } }, ["alpha", "beta", "gamma_3"]],
  ])("hold what the filter %j asks for", async (filter, expected) => {
    await using api = await openWithThree();
    expect(await names(api, { variables: filter })).toEqual(expected);
    expect(await api.post("/variables/count", { variables: filter })).toMatchObject({
      status: 200,
      body: expected.length,
    });
  });

  test("filter by id", async () => {
    await using api = await open();
    const { id } = await create(api, "one");
    await create(api, "two");
    expect(await names(api, { variables: { id: { any_: [id, UNKNOWN_ID] } } })).toEqual(["one"]);
  });

  test("take the one key filter, nested by resource or by attribute", async () => {
    await using api = await openWithThree();
    expect(await names(api, { filter: { name: { any_: ["beta"] } } })).toEqual(["beta"]);
    expect(await names(api, { filter: { variables: { name: { any_: ["beta"] } } } })).toEqual([
      "beta",
    ]);
    expect(await api.post("/variables/count", { filter: { tags: { all_: ["x"] } } })).toMatchObject(
      { body: 2 },
    );
  });

  test("page without overlap", async () => {
    await using api = await open();
    const all = Array.from({ length: 7 }, (_, n) => `v${n}`);
    await Promise.all(all.map((name) => create(api, name)));
    const seen: string[] = [];
    for (let offset = 0; ; offset += 3) {
      const page = await names(api, { limit: 3, offset, sort: "CREATED_DESC" });
      seen.push(...page);
      if (page.length < 3) break;
    }
    expect(seen.sort()).toEqual(all);
    expect(await names(api, { limit: 0 })).toEqual([]);
  });

  test.each([
    [{ limit: 201 }, ["body", "limit"]],
    [{ limit: -1 }, ["body", "limit"]],
    [{ offset: -1 }, ["body", "offset"]],
    [{ sort: "COLOUR_ASC" }, ["body", "sort"]],
    [{ variables: { colour: {} } }, ["body", "variables", "colour"]],
    [{ variables: { name: { near_: "x" } } }, ["body", "variables", "name", "near_"]],
    [{ variables: { id: { any_: ["nonsense"] } } }, ["body", "variables", "id", "any_", 0]],
    [{ filter: { colour: {} } }, ["body", "variables", "colour"]],
    [
      { variables: { tags: { all_: Array(101).fill("t") } } },
      ["body", "variables", "tags", "all_"],
    ],
    [
      { variables: { name: { any_: Array(10_001).fill("n") } } },
      ["body", "variables", "name", "any_"],
    ],
    [{ variables: { name: { like_: "%".repeat(1001) } } }, ["body", "variables", "name", "like_"]],
  ])("refuse %j", async (body, loc) => {
    await using api = await open();
    expect(await api.post("/variables/filter", body)).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc }] },
    });
  });
});

test("the contract and the list know the same attributes and operators", () => {
  expect(describeListFilter(VARIABLE_LIST)).toEqual(describeFilterSchema(VariableFilter));
});
