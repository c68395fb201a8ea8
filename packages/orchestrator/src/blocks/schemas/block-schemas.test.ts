import { BlockSchemaFilter } from "@orchestrator/contract";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { BLOCK_SCHEMA_LIST } from "../filters/block-schemas.filter.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const DEMO =
  '{"type":"object","title":"Demo","block_type_slug":"demo","properties":{"value":{"type":"string","title":"Value"}},"required":["value"],"block_schema_references":{}}';
const DEMO_CHECKSUM = "sha256:bbcc9a2dcfae29d9007604341b7fb2cbac931b62c2df172899964f6bd8ebdec9";
const INNER = {
  title: "Inner",
  block_type_slug: "inner",
  type: "object",
  properties: {
    pw: { type: "string", format: "password", writeOnly: true },
    of: { $ref: "#/definitions/Part" },
  },
  required: ["pw"],
  block_schema_references: {},
};
const PART = '{"type":"object","properties":{"ratio":{"type":"number","default":1.0}}}';
const INNER_CHECKSUM = "sha256:5244ac52a505d29fdcc4ab062eff28f2aaa291561cfff9e43f9f7dd2d2e8670f";

interface Schema {
  readonly id: string;
  readonly checksum: string;
  readonly fields: { readonly definitions?: Readonly<Record<string, unknown>> };
  readonly block_type: { readonly slug: string };
}

async function aType(api: TestApi, slug: string): Promise<string> {
  const { status, body } = await api.post("/block_types/", { name: slug, slug });
  expect(status).toBe(201);
  return (body as { readonly id: string }).id;
}

/** As it is written: numbers keep their spelling. */
const schemaBody = (typeId: string, fields: string, more = ""): string =>
  `{"block_type_id":"${typeId}","fields":${fields}${more}}`;

const outerFields = (definitions: string): string =>
  `{"title":"Outer","block_type_slug":"outer","type":"object","properties":{"inner":{"$ref":"#/definitions/Inner"}},` +
  `"block_schema_references":{"inner":{"block_type_slug":"inner","block_schema_checksum":"${INNER_CHECKSUM}"}}${definitions}}`;

describeEachApi("block schemas", (open) => {
  test("are registered with the checksum that clients compute, and found by it", async () => {
    await using api = await open();
    const type = await aType(api, "demo");
    const made = await api.post(
      "/block_schemas/",
      schemaBody(type, DEMO, ',"capabilities":["read-path","write-path"]'),
    );
    expect(made).toMatchObject({
      status: 201,
      body: {
        checksum: DEMO_CHECKSUM,
        version: "non-versioned",
        block_type_id: type,
        block_type: { slug: "demo" },
        capabilities: ["read-path", "write-path"],
        fields: JSON.parse(DEMO) as object,
      },
    });
    const { id } = made.body as Schema;
    expect(await api.get(`/block_schemas/${id}`)).toMatchObject({ status: 200, body: made.body });
    expect(await api.get(`/block_schemas/checksum/${DEMO_CHECKSUM}`)).toMatchObject({
      status: 200,
      body: made.body,
    });
    expect(
      await api.get(`/block_schemas/checksum/${DEMO_CHECKSUM}?version=non-versioned`),
    ).toMatchObject({ status: 200 });
    expect(await api.get(`/block_schemas/checksum/${DEMO_CHECKSUM}?version=2`)).toMatchObject({
      status: 404,
    });
  });

  test("are the same when they are registered again, and others under another version", async () => {
    await using api = await open();
    const type = await aType(api, "demo");
    const first = await api.post("/block_schemas/", schemaBody(type, DEMO));
    const again = await api.post("/block_schemas/", schemaBody(type, DEMO));
    expect(again).toMatchObject({ status: 200, body: { id: (first.body as Schema).id } });
    const other = await api.post("/block_schemas/", schemaBody(type, DEMO, ',"version":"2"'));
    expect(other).toMatchObject({ status: 201, body: { checksum: DEMO_CHECKSUM, version: "2" } });
    // Without a version the newest is meant.
    expect(await api.get(`/block_schemas/checksum/${DEMO_CHECKSUM}`)).toMatchObject({
      body: { id: (other.body as Schema).id },
    });
  });

  test("belong to their type: another type may have the same", async () => {
    await using api = await open();
    const [one, two] = [await aType(api, "one"), await aType(api, "two")];
    const first = await api.post("/block_schemas/", schemaBody(one, "{}"));
    const second = await api.post("/block_schemas/", schemaBody(two, "{}"));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second).toMatchObject({ body: { block_type_id: two } });
  });

  test("keep numbers as they were written, however long they are", async () => {
    await using api = await open();
    const type = await aType(api, "inner");
    const filler = `"description":"${"x".repeat(20_000)}",`;
    const fields = JSON.stringify(INNER).replace("{", `{"definitions":{"Part":${PART}},`);
    const made = await api.post("/block_schemas/", schemaBody(type, fields));
    expect(made).toMatchObject({ status: 201, body: { checksum: INNER_CHECKSUM } });
    const long = (ratio: string): string =>
      schemaBody(type, `{${filler}"properties":{"r":{"default":${ratio}}}}`);
    const sums = [];
    for (const ratio of ["1", "1.0", "1.00"])
      sums.push(((await api.post("/block_schemas/", long(ratio))).body as Schema).checksum);
    expect(sums[1]).not.toBe(sums[0]);
    expect(sums[2]).toBe(sums[1]);
  });

  test("of blocks within are registered with the outer one", async () => {
    await using api = await open();
    const outer = await aType(api, "outer");
    const definitions = `,"definitions":{"Inner":${JSON.stringify(INNER)},"Part":${PART}}`;
    const body = schemaBody(outer, outerFields(definitions));
    expect(await api.post("/block_schemas/", body)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("inner") },
    });
    await aType(api, "inner");
    expect(await api.post("/block_schemas/", body)).toMatchObject({ status: 201 });
    expect(await api.get(`/block_schemas/checksum/${INNER_CHECKSUM}`)).toMatchObject({
      status: 200,
      body: { block_type: { slug: "inner" }, fields: { definitions: { Part: {} } } },
    });
  });

  test("show the schemas of blocks within, also where only the server knew them", async () => {
    await using api = await open();
    const [outer, inner] = [await aType(api, "outer"), await aType(api, "inner")];
    const bare = schemaBody(outer, outerFields(""));
    expect(await api.post("/block_schemas/", bare)).toMatchObject({ status: 409 });
    const fields = JSON.stringify(INNER).replace("{", `{"definitions":{"Part":${PART}},`);
    await api.post("/block_schemas/", schemaBody(inner, fields));
    expect(await api.post("/block_schemas/", bare)).toMatchObject({
      status: 201,
      body: {
        fields: { definitions: { Inner: { block_type_slug: "inner" }, Part: { type: "object" } } },
      },
    });
  });

  test("are listed newest first, by type, capability and version", async () => {
    await using api = await open();
    const type = await aType(api, "demo");
    const other = await aType(api, "other");
    const ids: string[] = [];
    for (const [typeId, capabilities, version] of [
      [type, ["notify"], "1"],
      [type, ["notify", "read-path"], "2"],
      [other, [], "1"],
    ] as const) {
      const body = { block_type_id: typeId, fields: { title: "x" }, capabilities, version };
      ids.push(((await api.post("/block_schemas/", body)).body as Schema).id);
    }
    const listed = async (filter: unknown): Promise<string[]> => {
      const answer = await api.post("/block_schemas/filter", { block_schemas: filter });
      return (answer.body as Schema[]).map(({ id }) => id);
    };
    expect(await listed(null)).toEqual(ids.toReversed());
    expect(await listed({ block_type_id: { any_: [type] } })).toEqual([ids[1], ids[0]]);
    expect(await listed({ block_capabilities: { all_: ["notify", "read-path"] } })).toEqual([
      ids[1],
    ]);
    expect(await listed({ version: { any_: ["1"] } })).toEqual([ids[2], ids[0]]);
    expect(await listed({ id: { any_: [ids[0]] } })).toEqual([ids[0]]);
    expect(await api.get("/block_capabilities/")).toMatchObject({
      body: ["notify", "read-path"],
    });
  });

  test("are deleted with their documents, unless their type is protected", async () => {
    await using api = await open();
    const type = await aType(api, "demo");
    const { id } = (await api.post("/block_schemas/", schemaBody(type, DEMO))).body as Schema;
    const document = await api.post("/block_documents/", {
      name: "one",
      block_type_id: type,
      data: { value: "v" },
    });
    expect(document).toMatchObject({ body: { block_schema_id: id } });
    expect(await api.delete(`/block_schemas/${id}`)).toMatchObject({ status: 204 });
    expect(await api.delete(`/block_schemas/${id}`)).toMatchObject({ status: 404 });
    expect(await api.post("/block_documents/count", {})).toMatchObject({ body: 0 });
    const events = (await api.events()).map(({ event }) => event);
    expect(events.at(-1)).toBe("orchestrator.block-document.deleted");

    await api.post("/block_types/install_system_block_types");
    const [system] = (await api.post("/block_schemas/filter", { limit: 1 })).body as Schema[];
    expect(await api.delete(`/block_schemas/${system?.id}`)).toMatchObject({ status: 403 });
  });

  test("hold so many schemas of other blocks and no more", async () => {
    await using api = await open();
    const type = await aType(api, "outer");
    const definitions = Object.fromEntries(
      Array.from({ length: 51 }, (_, i) => [`D${i}`, { block_type_slug: `d${i}` }]),
    );
    const body = { block_type_id: type, fields: { definitions } };
    expect(await api.post("/block_schemas/", body)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("at most 50") },
    });
  });

  test("of hostile texts are read all the same", async () => {
    await using api = await open();
    const type = await aType(api, "demo");
    const fields = `{"a":"${"\\\\".repeat(250_000)}","b":[${"1.5,".repeat(10_000)}1]}`;
    expect((await api.post("/block_schemas/", schemaBody(type, fields))).status).toBe(201);
  });

  test("need a type that exists", async () => {
    await using api = await open();
    expect(await api.post("/block_schemas/", { block_type_id: UNKNOWN_ID })).toMatchObject({
      status: 404,
    });
    expect(await api.get(`/block_schemas/${UNKNOWN_ID}`)).toMatchObject({ status: 404 });
    expect(await api.post("/block_schemas/", { block_type_id: UNKNOWN_ID, x: 1 })).toMatchObject({
      status: 422,
    });
  });
});

test("filters what the document says can be filtered", () => {
  expect(describeListFilter(BLOCK_SCHEMA_LIST)).toEqual(describeFilterSchema(BlockSchemaFilter));
});
