import { BlockTypeFilter } from "@orchestrator/contract";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { BLOCK_TYPE_LIST } from "../filters/block-types.filter.ts";
import { installSystemBlocks } from "../install-system-blocks.service.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const INSTALL = "/block_types/install_system_block_types";

interface BlockTypeBody {
  readonly id: string;
  readonly slug: string;
  readonly is_protected: boolean;
}

async function slugs(api: TestApi, body: unknown = {}): Promise<string[]> {
  const answer = await api.post("/block_types/filter", body);
  expect(answer.status).toBe(200);
  return (answer.body as BlockTypeBody[]).map(({ slug }) => slug);
}

describeEachApi("block types", (open) => {
  test("are created, read, changed and deleted, each with its event", async () => {
    await using api = await open();
    const made = await api.post("/block_types/", {
      name: "My Store",
      slug: "my-store",
      description: "a < b & c > d",
      code_example: "x > 1",
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: "My Store",
        slug: "my-store",
        logo_url: null,
        documentation_url: null,
        description: "a &lt; b &amp; c &gt; d",
        code_example: "x &gt; 1",
        is_protected: false,
      },
    });
    const { id } = made.body as BlockTypeBody;
    expect(await api.get(`/block_types/${id}`)).toMatchObject({ status: 200, body: made.body });
    expect(await api.get("/block_types/slug/my-store")).toMatchObject({ body: made.body });
    expect(
      await api.patch(`/block_types/${id}`, { logo_url: "https://x.test/l.png" }),
    ).toMatchObject({ status: 204 });
    expect(
      await api.patch(`/block_types/${id}`, { logo_url: "https://x.test/l.png" }),
    ).toMatchObject({ status: 204 });
    expect(await api.get(`/block_types/${id}`)).toMatchObject({
      body: { logo_url: "https://x.test/l.png", description: "a &lt; b &amp; c &gt; d" },
    });
    expect(await api.delete(`/block_types/${id}`)).toMatchObject({ status: 204 });
    expect(await api.get(`/block_types/${id}`)).toMatchObject({ status: 404 });
    const events = await api.events();
    expect(events.map(({ event }) => event)).toEqual([
      "orchestrator.block-type.created",
      "orchestrator.block-type.updated",
      "orchestrator.block-type.deleted",
    ]);
    expect(events[0]?.payload).toMatchObject({ slug: "my-store", is_protected: false });
  });

  test("have one slug each", async () => {
    await using api = await open();
    const body = { name: "A", slug: "a" };
    expect((await api.post("/block_types/", body)).status).toBe(201);
    expect((await api.post("/block_types/", body)).status).toBe(409);
    expect((await api.post("/block_types/", { name: "B", slug: "B" })).status).toBe(422);
    expect((await api.post("/block_types/", { name: "a/b", slug: "b" })).status).toBe(422);
    expect((await api.post("/block_types/", { name: "Prefect X", slug: "x" })).status).toBe(403);
  });

  test("are not found where there are none", async () => {
    await using api = await open();
    expect((await api.get(`/block_types/${UNKNOWN_ID}`)).status).toBe(404);
    expect((await api.get("/block_types/slug/nothing")).status).toBe(404);
    expect((await api.patch(`/block_types/${UNKNOWN_ID}`, {})).status).toBe(404);
    expect((await api.delete(`/block_types/${UNKNOWN_ID}`)).status).toBe(404);
    expect((await api.get("/block_types/slug/nothing/block_documents")).status).toBe(404);
  });

  test("that come with the server are there once, protected, and can be used at once", async () => {
    await using api = await open();
    expect(await api.post(INSTALL)).toMatchObject({ status: 200, body: null });
    const types = (await api.post("/block_types/filter", {})).body as BlockTypeBody[];
    expect(types.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining([
        "secret",
        "json",
        "string",
        "date-time",
        "webhook",
        "local-file-system",
        "slack-webhook",
        "sendgrid-email",
      ]),
    );
    expect(types.every(({ is_protected }) => is_protected)).toBe(true);
    await api.post(INSTALL);
    expect((await api.post("/block_types/filter", {})).body).toEqual(types);
    expect(await api.events()).toEqual([]);
    const secret = types.find(({ slug }) => slug === "secret");
    expect(await api.delete(`/block_types/${secret?.id}`)).toMatchObject({
      status: 403,
      body: { detail: "protected block types cannot be deleted." },
    });
  });

  test("that come with the server hold a secret as a password, a string or any JSON", async () => {
    await using api = await open({ dialect: "prefect" });
    await api.post(INSTALL);
    const { id } = (await api.get("/block_types/slug/secret")).body as BlockTypeBody;
    const filter = { block_schemas: { block_type_id: { any_: [id] } } };
    const [schema] = (await api.post("/block_schemas/filter", filter)).body as [
      { id: string; fields: { properties: unknown; definitions: unknown } },
    ];
    expect(schema.fields).toMatchObject({
      properties: {
        value: {
          anyOf: [
            { type: "string", format: "password", writeOnly: true },
            { type: "string", title: "string" },
            { $ref: "#/definitions/JsonValue", title: "JSON" },
          ],
          format: "password",
          writeOnly: true,
        },
      },
      definitions: { JsonValue: {} },
    });
    for (const value of ["letmein", { user: "a", password: "letmein" }, ["letmein"], 4]) {
      const document = await api.post("/block_documents/", {
        name: `holds-${typeof value}-${String(Array.isArray(value))}`,
        block_type_id: id,
        block_schema_id: schema.id,
        data: { value },
      });
      expect(document).toMatchObject({ status: 201, body: { data: { value: "********" } } });
    }
  });

  test("that come with the server keep the texts that a client gave them", async () => {
    await using api = await open();
    await api.post(INSTALL);
    const { id } = (await api.get("/block_types/slug/secret")).body as BlockTypeBody;
    await api.patch(`/block_types/${id}`, { description: "as the client has it" });
    await api.post(INSTALL);
    expect(await api.get("/block_types/slug/secret")).toMatchObject({
      body: { id, description: "as the client has it" },
    });
  });

  test("that come with the server are installed by several replicas at once", async () => {
    await using api = await open();
    const workspace = "00000000-0000-0000-0000-000000000000";
    await Promise.all([1, 2, 3].map(() => installSystemBlocks(api.ctx, workspace)));
    const found = await slugs(api);
    expect(new Set(found).size).toBe(found.length);
    const schemas = (await api.post("/block_schemas/filter", {})).body as unknown[];
    expect(schemas).toHaveLength(found.length);
  });

  test("are listed by name, and by what their schemas can do", async () => {
    await using api = await open();
    await api.post(INSTALL);
    const all = await slugs(api);
    expect(await slugs(api, { limit: 2, offset: 1 })).toEqual(all.slice(1, 3));
    expect(await slugs(api, { block_types: { name: { like_: "file sys" } } })).toEqual([
      "local-file-system",
      "remote-file-system",
    ]);
    expect(await slugs(api, { block_types: { slug: { any_: ["json", "nothing"] } } })).toEqual([
      "json",
    ]);
    const notify = { block_schemas: { block_capabilities: { all_: ["notify"] } } };
    expect(await slugs(api, notify)).toContain("slack-webhook");
    expect(await slugs(api, notify)).not.toContain("secret");
    expect(await slugs(api, { filter: { slug: { any_: ["smb"] } } })).toEqual(["smb"]);
    expect(await slugs(api, { block_types: { name: { any_: ["Secret", "ecre"] } } })).toEqual([
      "secret",
    ]);
    const { body } = await api.get("/block_types/slug/json");
    const ids = { block_types: { id: { any_: [(body as { id: string }).id] } } };
    expect(await slugs(api, ids)).toEqual(["json"]);
  });

  test("are listed in the order that is asked for", async () => {
    await using api = await open();
    await api.post(INSTALL);
    const all = await slugs(api);
    expect(await slugs(api, { sort: "NAME_DESC" })).toEqual(all.toReversed());
    await api.post("/block_types/", { name: "Mine", slug: "mine" });
    expect(await slugs(api, { sort: "CREATED_DESC", limit: 1 })).toEqual(["mine"]);
    expect((await api.post("/block_types/filter", { sort: "COLOUR_ASC" })).status).toBe(422);
  });

  test("take their schemas and documents with them", async () => {
    await using api = await open();
    const { id } = (await api.post("/block_types/", { name: "A", slug: "a" }))
      .body as BlockTypeBody;
    for (const name of ["one", "two"])
      await api.post("/block_documents/", { name, block_type_id: id, data: {} });
    await api.post("/block_documents/", { block_type_id: id, is_anonymous: true });
    expect((await api.delete(`/block_types/${id}`)).status).toBe(204);
    const everything = { block_documents: { is_anonymous: null } };
    expect((await api.post("/block_documents/count", everything)).body).toBe(0);
    expect((await api.post("/block_schemas/filter", {})).body).toEqual([]);
    const deleted = (await api.events()).filter(({ event }) => event.endsWith(".deleted"));
    expect(deleted.map(({ event }) => event)).toEqual([
      "orchestrator.block-document.deleted",
      "orchestrator.block-document.deleted",
      "orchestrator.block-type.deleted",
    ]);
  });
});

test("filters what the document says can be filtered", () => {
  expect(describeListFilter(BLOCK_TYPE_LIST)).toEqual(describeFilterSchema(BlockTypeFilter));
});
