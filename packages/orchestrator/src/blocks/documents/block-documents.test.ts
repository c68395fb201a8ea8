import { BlockDocumentFilter } from "@orchestrator/contract";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, PLANTED_SECRET, type TestApi } from "../../testing.ts";
import { BLOCK_DOCUMENT_LIST } from "../filters/block-documents.filter.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const MASK = "********";
const ACCOUNT = {
  title: "Account",
  block_type_slug: "account",
  type: "object",
  properties: { user: { type: "string" }, password: { type: "string" }, extra: { type: "object" } },
  secret_fields: ["password", "extra.*"],
  block_schema_references: {},
};

interface Body {
  readonly id: string;
  readonly name: string;
  readonly updated: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly block_schema_id: string;
}

async function post<T = Body>(api: TestApi, path: string, body: unknown): Promise<T> {
  const answer = await api.post(path, body);
  expect(answer.status).toBe(201);
  return answer.body as T;
}

/** A type with a schema, and a way to make documents of it. */
async function accounts(api: TestApi, slug = "account") {
  const type = await post(api, "/block_types/", { name: slug, slug });
  const schema = await post(api, "/block_schemas/", {
    block_type_id: type.id,
    fields: { ...ACCOUNT, block_type_slug: slug },
    capabilities: ["write-path"],
  });
  const create = (name: string, data: unknown, more: object = {}) =>
    post(api, "/block_documents/", {
      name,
      data,
      block_type_id: type.id,
      block_schema_id: schema.id,
      ...more,
    });
  return { type, schema, create };
}

async function secretsOf(api: TestApi, id: string): Promise<unknown> {
  return ((await api.get(`/block_documents/${id}?include_secrets=true`)).body as Body).data;
}

async function names(api: TestApi, body: unknown): Promise<string[]> {
  const answer = await api.post("/block_documents/filter", body);
  expect(answer.status).toBe(200);
  return (answer.body as Body[]).map(({ name }) => name);
}

describeEachApi("block documents", (open) => {
  test("are shown with their type and schema, and masked unless secrets are asked for", async () => {
    await using api = await open();
    const { type, schema, create } = await accounts(api);
    const data = { user: "ada", password: PLANTED_SECRET, extra: { a: { b: PLANTED_SECRET } } };
    const shown = { user: "ada", password: MASK, extra: { a: { b: MASK } } };
    const made = await create("main", data);
    expect(made).toMatchObject({
      name: "main",
      data: shown,
      block_type_id: type.id,
      block_type_name: "account",
      block_type: { slug: "account" },
      block_schema_id: schema.id,
      block_schema: { capabilities: ["write-path"], block_type: { slug: "account" } },
      block_document_references: {},
      is_anonymous: false,
    });
    const places = [
      `/block_documents/${made.id}`,
      "/block_types/slug/account/block_documents/name/main",
    ];
    for (const place of places) {
      expect(await api.get(place)).toMatchObject({ status: 200, body: made });
      expect(await api.get(`${place}?include_secrets=true`)).toMatchObject({ body: { data } });
    }
    const list = "/block_types/slug/account/block_documents";
    expect(await api.get(list)).toMatchObject({ status: 200, body: [made] });
    expect(await api.get(`${list}?include_secrets=true`)).toMatchObject({ body: [{ data }] });
    expect(await api.post("/block_documents/filter", {})).toMatchObject({ body: [made] });
    const asked = { include_secrets: true };
    expect(await api.post("/block_documents/filter", asked)).toMatchObject({ body: [{ data }] });
  });

  test("are listed without their values where those are not wanted, however large they are", async () => {
    await using api = await open();
    const { create } = await accounts(api);
    const long = "x".repeat(3_000_000);
    const inner = await create("inner", { user: long, password: PLANTED_SECRET });
    const within = { $ref: { block_document_id: inner.id } };
    for (let at = 0; at < 11; at += 1) await create(`large-${at}`, { within });
    const list = "/block_types/slug/account/block_documents";
    expect((await api.post("/block_documents/filter", { include_data: true })).status).toBe(413);
    const shown = (name: string) => ({
      name,
      data: {},
      block_document_references: {},
      block_type: { slug: "account" },
      block_schema: { capabilities: ["write-path"] },
    });
    const some = { include_data: false, limit: 2, sort: "NAME_ASC" };
    const first = [shown("inner"), shown("large-0")];
    expect((await api.post("/block_documents/filter", some)).body).toMatchObject(first);
    expect((await api.get(`${list}?include_data=false&limit=2`)).body).toMatchObject(first);
    const unsaid = await api.get(`${list}?include_data=false&limit=&offset=`);
    expect((unsaid.body as unknown[]).length).toBe(12);
    const secretly = { ...some, include_secrets: true };
    expect((await api.post("/block_documents/filter", secretly)).body).toMatchObject(first);
  });

  test("take the newest schema of their type when none is named", async () => {
    await using api = await open();
    const { type, schema } = await accounts(api);
    const body = { name: "main", block_type_id: type.id, data: { password: PLANTED_SECRET } };
    const made = await post(api, "/block_documents/", body);
    expect(made).toMatchObject({ block_schema_id: schema.id, data: { password: MASK } });
    const newer = { block_type_id: type.id, fields: { ...ACCOUNT, title: "Newer" } };
    const { id } = await post(api, "/block_schemas/", newer);
    expect(await post(api, "/block_documents/", { ...body, name: "next" })).toMatchObject({
      block_schema_id: id,
    });
  });

  test("of a type without any schema keep what they are given", async () => {
    await using api = await open();
    const type = await post(api, "/block_types/", { name: "Plain", slug: "plain" });
    const data = { region: "eu", token: PLANTED_SECRET };
    const body = { name: "one", block_type_id: type.id, data };
    const one = await post(api, "/block_documents/", body);
    expect(one.data).toEqual({ region: "eu", token: MASK });
    const two = await post(api, "/block_documents/", { ...body, name: "two" });
    expect(two.block_schema_id).toBe(one.block_schema_id);
    expect(await secretsOf(api, one.id)).toEqual(data);
    expect(await api.patch(`/block_documents/${one.id}`, { data: one.data })).toMatchObject({
      status: 204,
    });
    expect(await secretsOf(api, one.id)).toEqual(data);
  });

  test("have one name each within their type", async () => {
    await using api = await open();
    const { type, create } = await accounts(api);
    const other = await accounts(api, "other");
    await create("main", {});
    await other.create("main", {});
    const again = { name: "main", block_type_id: type.id };
    expect(await api.post("/block_documents/", again)).toMatchObject({ status: 409 });
    for (const name of ["Upper", "a_b", "a b", ""])
      expect((await api.post("/block_documents/", { ...again, name })).status).toBe(422);
    expect((await api.post("/block_documents/", { block_type_id: type.id })).status).toBe(422);
  });

  test("that are anonymous need no name, are not listed and tell nothing", async () => {
    await using api = await open();
    const { type, create } = await accounts(api);
    await create("main", {});
    const before = (await api.events()).length;
    const body = { block_type_id: type.id, is_anonymous: true, data: { user: "ada" } };
    const made = await post(api, "/block_documents/", body);
    expect(made).toMatchObject({
      name: expect.stringMatching(/^anonymous-[0-9a-f-]{36}$/),
      is_anonymous: true,
    });
    expect(await names(api, {})).toEqual(["main"]);
    expect(await names(api, { block_documents: { name: { like_: "a" } } })).toEqual(["main"]);
    expect(await names(api, { block_documents: { is_anonymous: { eq_: true } } })).toEqual([
      made.name,
    ]);
    expect(await names(api, { block_documents: { is_anonymous: null } })).toHaveLength(2);
    const either = { operator: "or_", name: { any_: [made.name] }, id: { any_: [made.id] } };
    expect(await names(api, { block_documents: either })).toEqual([]);
    expect((await api.post("/block_documents/count", {})).body).toBe(1);
    await api.patch(`/block_documents/${made.id}`, { data: { user: "bob" } });
    await api.delete(`/block_documents/${made.id}`);
    expect((await api.events()).length).toBe(before);
  });

  test("are listed, sorted and counted by their own filter and those of type and schema", async () => {
    await using api = await open();
    const { type, schema, create } = await accounts(api, "zeta");
    const alpha = await accounts(api, "alpha");
    const one = await create("one", {});
    await create("two", {});
    await alpha.create("three", {});
    expect(await names(api, {})).toEqual(["one", "three", "two"]);
    expect(await names(api, { sort: "NAME_DESC" })).toEqual(["two", "three", "one"]);
    expect(await names(api, { sort: "CREATED_DESC", limit: 1, offset: 1 })).toEqual(["two"]);
    const byType = { sort: "BLOCK_TYPE_AND_NAME_ASC" };
    expect(await names(api, byType)).toEqual(["three", "one", "two"]);
    const filters: readonly (readonly [object, string[]])[] = [
      [{ block_documents: { id: { any_: [one.id] } } }, ["one"]],
      [{ block_documents: { name: { any_: ["two"] } } }, ["two"]],
      [{ block_documents: { name: { like_: "o" } } }, ["one", "two"]],
      [{ block_documents: { name: { like_: "T_o" } } }, ["two"]],
      [{ block_documents: { block_type_id: { any_: [type.id] } } }, ["one", "two"]],
      [{ block_types: { slug: { any_: ["alpha"] } } }, ["three"]],
      [{ block_schemas: { id: { any_: [schema.id] } } }, ["one", "two"]],
      [{ block_schemas: { block_capabilities: { all_: ["notify"] } } }, []],
      [{ filter: { name: { any_: ["one"] } } }, ["one"]],
    ];
    for (const [filter, expected] of filters) {
      expect(await names(api, filter)).toEqual(expected);
      expect((await api.post("/block_documents/count", filter)).body).toBe(expected.length);
    }
    expect((await api.post("/block_documents/filter", { limit: 201 })).status).toBe(422);
  });

  test("change the values that are given, or all of them", async () => {
    await using api = await open();
    const { create } = await accounts(api);
    const { id } = await create("main", { user: "ada", password: PLANTED_SECRET });
    expect(await api.patch(`/block_documents/${id}`, { data: { user: "bob" } })).toMatchObject({
      status: 204,
    });
    expect(await secretsOf(api, id)).toEqual({ user: "bob", password: PLANTED_SECRET });
    const whole = { data: { password: `${PLANTED_SECRET}-2` }, merge_existing_data: false };
    await api.patch(`/block_documents/${id}`, whole);
    expect(await secretsOf(api, id)).toEqual({ password: `${PLANTED_SECRET}-2` });
    await api.patch(`/block_documents/${id}`, { merge_existing_data: false });
    expect(await secretsOf(api, id)).toEqual({ password: `${PLANTED_SECRET}-2` });
  });

  test("keep a secret that is sent back masked", async () => {
    await using api = await open();
    const { create } = await accounts(api);
    const data = {
      user: "ada",
      password: PLANTED_SECRET,
      extra: { a: `${PLANTED_SECRET}-a`, b: "y" },
    };
    const { id } = await create("main", data);
    const changed = { user: "bob", password: MASK, extra: { a: MASK, b: "z" } };
    for (const merge_existing_data of [true, false]) {
      await api.patch(`/block_documents/${id}`, { data: changed, merge_existing_data });
      expect(await secretsOf(api, id)).toEqual({
        user: "bob",
        password: PLANTED_SECRET,
        extra: { a: `${PLANTED_SECRET}-a`, b: "z" },
      });
    }
  });

  test("that stay the same are not told to have changed", async () => {
    await using api = await open();
    const { schema, create } = await accounts(api);
    const made = await create("main", { user: "ada", password: PLANTED_SECRET });
    const path = `/block_documents/${made.id}`;
    const before = (await api.events()).length;
    for (const changes of [{}, { data: made.data }, { data: {} }, { block_schema_id: schema.id }])
      expect((await api.patch(path, changes)).status).toBe(204);
    expect((await api.events()).length).toBe(before);
    expect(((await api.get(path)).body as Body).updated).toBe(made.updated);
  });

  test("change their schema within their type only", async () => {
    await using api = await open();
    const { type, create } = await accounts(api);
    const other = await accounts(api, "other");
    const { id } = await create("main", { user: "ada" });
    const path = `/block_documents/${id}`;
    const newer = { block_type_id: type.id, fields: { ...ACCOUNT, secret_fields: ["user"], x: 1 } };
    const schema = await post(api, "/block_schemas/", newer);
    expect((await api.patch(path, { block_schema_id: schema.id })).status).toBe(204);
    expect(await api.get(path)).toMatchObject({
      body: { block_schema_id: schema.id, data: { user: MASK } },
    });
    expect((await api.patch(path, { block_schema_id: other.schema.id })).status).toBe(400);
    expect((await api.patch(path, { block_schema_id: UNKNOWN_ID })).status).toBe(404);
    const foreign = { name: "x", block_type_id: type.id, block_schema_id: other.schema.id };
    expect((await api.post("/block_documents/", foreign)).status).toBe(400);
  });

  test("are not found where there are none", async () => {
    await using api = await open();
    const path = `/block_documents/${UNKNOWN_ID}`;
    expect((await api.get(path)).status).toBe(404);
    expect((await api.patch(path, {})).status).toBe(404);
    expect((await api.delete(path)).status).toBe(404);
    expect((await api.get("/block_types/slug/x/block_documents/name/y")).status).toBe(404);
    const { create } = await accounts(api);
    const { id } = await create("main", {});
    expect((await api.delete(`/block_documents/${id}`)).status).toBe(204);
    expect((await api.get(`/block_documents/${id}`)).status).toBe(404);
    expect(
      (await api.post("/block_documents/", { name: "x", block_type_id: UNKNOWN_ID })).status,
    ).toBe(404);
  });

  test("have a size that ends somewhere, also when they are put together bit by bit", async () => {
    await using api = await open();
    const { create } = await accounts(api);
    const text = "x".repeat(2_200_000);
    const { id } = await create("main", { a: text });
    const more = { data: { b: text } };
    expect(await api.patch(`/block_documents/${id}`, more)).toMatchObject({
      status: 413,
      body: { detail: expect.stringMatching("at most 4194304 characters") },
    });
    const { body } = await api.get(`/block_documents/${id}?include_secrets=true`);
    expect((body as { readonly data: object }).data).toEqual({ a: text });
  });

  test("tell what happened to them, with their open texts", async () => {
    await using api = await open();
    const { type, schema, create } = await accounts(api);
    const { id } = await create("main", { user: "ada", password: PLANTED_SECRET, n: 1 });
    await api.patch(`/block_documents/${id}`, { data: { user: "bob" } });
    await api.delete(`/block_documents/${id}`);
    const events = (await api.events()).filter(({ event }) => event.includes("block-document"));
    expect(events.map(({ event, payload }) => [event, payload["data"]])).toEqual([
      ["orchestrator.block-document.created", { user: "ada" }],
      ["orchestrator.block-document.updated", { user: "bob" }],
      ["orchestrator.block-document.deleted", { user: "bob" }],
    ]);
    expect(events[0]).toMatchObject({
      resource: {
        "orchestrator.resource.id": `orchestrator.block-document.${id}`,
        "orchestrator.resource.name": "main",
      },
      related: [
        {
          "orchestrator.resource.id": `orchestrator.block-type.${type.id}`,
          "orchestrator.resource.role": "block-type",
        },
        {
          "orchestrator.resource.id": `orchestrator.block-schema.${schema.id}`,
          "orchestrator.resource.role": "block-schema",
        },
      ],
      payload: {
        name: "main",
        block_schema: { capabilities: ["write-path"], block_type: { id: type.id } },
      },
    });
  });

  test("are changed one after the other", async () => {
    await using api = await open();
    const { create } = await accounts(api);
    const { id } = await create("main", {});
    const keys = Array.from({ length: 8 }, (_, i) => `k${i}`);
    await Promise.all(
      keys.map((key) => api.patch(`/block_documents/${id}`, { data: { [key]: 1 } })),
    );
    expect(Object.keys((await secretsOf(api, id)) as object).toSorted()).toEqual(keys);
  });
});

test("filters what the document says can be filtered", () => {
  const { asked } = BLOCK_DOCUMENT_LIST.filter;
  const filter = asked !== undefined && "group" in asked ? asked.group : {};
  expect(describeListFilter({ filter })).toEqual(describeFilterSchema(BlockDocumentFilter));
});
