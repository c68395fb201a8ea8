import { expect, test } from "vitest";
import { describeEachApi, PLANTED_SECRET, type TestApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const MASK = "********";

interface Body {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly block_document_references: Readonly<Record<string, unknown>>;
}

const ref = (id: string) => ({ $ref: { block_document_id: id } });

/** A way to make documents of a type with a secret `value`, and room for others. */
async function boxes(api: TestApi) {
  const type = (await api.post("/block_types/", { name: "Box", slug: "box" })).body as Body;
  const fields = { properties: { value: {}, held: {} }, secret_fields: ["value"] };
  await api.post("/block_schemas/", { block_type_id: type.id, fields });
  return async (name: string, data: object = {}, more: object = {}): Promise<string> => {
    const body = { name, block_type_id: type.id, data, ...more };
    const answer = await api.post("/block_documents/", body);
    expect(answer.status).toBe(201);
    return (answer.body as Body).id;
  };
}

async function read(api: TestApi, id: string, includeSecrets = true): Promise<Body> {
  return (await api.get(`/block_documents/${id}?include_secrets=${includeSecrets}`)).body as Body;
}

describeEachApi("block documents within others", (open) => {
  test("are shown in their place, masked by their own schemas", async () => {
    await using api = await open();
    const box = await boxes(api);
    const inmost = await box("inmost", { value: `${PLANTED_SECRET}-1`, open: 1 });
    const inner = await box("inner", { value: `${PLANTED_SECRET}-2`, held: ref(inmost) });
    const outer = await box("outer", { held: ref(inner), again: ref(inmost), own: [1] });
    const secrets = { value: `${PLANTED_SECRET}-1`, open: 1 };
    expect((await read(api, outer)).data).toEqual({
      own: [1],
      held: { value: `${PLANTED_SECRET}-2`, held: secrets },
      again: secrets,
    });
    const shown = await read(api, outer, false);
    const masked = { value: MASK, open: 1 };
    expect(shown.data).toEqual({ own: [1], held: { value: MASK, held: masked }, again: masked });
    const leaf = { id: inmost, name: "inmost", is_anonymous: false, block_document_references: {} };
    expect(shown.block_document_references).toMatchObject({
      again: { block_document: { ...leaf, block_type: { slug: "box" } } },
      held: {
        block_document: {
          id: inner,
          block_document_references: { held: { block_document: leaf } },
        },
      },
    });
    const listed = (await api.post("/block_documents/filter", {})).body as Body[];
    expect(listed.find(({ id }) => id === outer)).toEqual(shown);
  });

  test("stay documents of their own: a change of one shows in the other", async () => {
    await using api = await open();
    const box = await boxes(api);
    const inner = await box("inner", { value: "s" }, { name: null, is_anonymous: true });
    const outer = await box("outer", { held: ref(inner) });
    await api.patch(`/block_documents/${inner}`, { data: { value: "t" } });
    expect((await read(api, outer)).data).toEqual({ held: { value: "t" } });
    await api.delete(`/block_documents/${inner}`);
    const after = await read(api, outer);
    expect(after).toMatchObject({ data: {}, block_document_references: {} });
  });

  test("are put in place, exchanged and taken out", async () => {
    await using api = await open();
    const box = await boxes(api);
    const [a, b] = [await box("a", { value: "a" }), await box("b", { value: "b" })];
    const outer = await box("outer", { held: { inline: true }, x: 1 });
    const path = `/block_documents/${outer}`;
    const steps: readonly (readonly [object, object])[] = [
      [{ data: { held: ref(a) } }, { held: { value: "a" }, x: 1 }],
      [{ data: { x: 2 } }, { held: { value: "a" }, x: 2 }],
      [
        { data: { held: ref(b), more: ref(a) } },
        { held: { value: "b" }, more: { value: "a" }, x: 2 },
      ],
      [{ data: { more: "plain" } }, { held: { value: "b" }, more: "plain", x: 2 }],
      [{ data: { x: 3 }, merge_existing_data: false }, { x: 3 }],
    ];
    for (const [changes, data] of steps) {
      expect((await api.patch(path, changes)).status).toBe(204);
      expect((await read(api, outer)).data).toEqual(data);
    }
  });

  test("stay where they are when what was shown of them is sent back", async () => {
    await using api = await open();
    const box = await boxes(api);
    const inner = await box("inner", { value: "s", open: 1 });
    const outer = await box("outer", { held: ref(inner), value: "t" });
    const path = `/block_documents/${outer}`;
    for (const includeSecrets of [true, false])
      for (const merge_existing_data of [true, false]) {
        const { data } = await read(api, outer, includeSecrets);
        expect((await api.patch(path, { data, merge_existing_data })).status).toBe(204);
        const after = await read(api, outer);
        expect(after.data).toEqual({ held: { value: "s", open: 1 }, value: "t" });
        expect(Object.keys(after.block_document_references)).toEqual(["held"]);
      }
    const half = { data: { held: { value: MASK, open: 2 } } };
    expect((await api.patch(path, half)).status).toBe(400);
  });

  test("must exist, and be named by their id", async () => {
    await using api = await open();
    const box = await boxes(api);
    const id = await box("one");
    const path = `/block_documents/${id}`;
    expect((await api.patch(path, { data: { held: ref(UNKNOWN_ID) } })).status).toBe(409);
    expect((await api.patch(path, { data: { held: { $ref: {} } } })).status).toBe(400);
    expect((await read(api, id)).data).toEqual({});
  });

  test("cannot hold each other", async () => {
    await using api = await open();
    const box = await boxes(api);
    const a = await box("a");
    const b = await box("b", { held: ref(a) });
    const c = await box("c", { held: ref(b) });
    for (const id of [a, b, c])
      expect(await api.patch(`/block_documents/${a}`, { data: { held: ref(id) } })).toMatchObject({
        status: 400,
      });
    expect((await read(api, c)).data).toEqual({ held: { held: {} } });
  });

  test("cannot be made to hold each other at the same time", async () => {
    await using api = await open();
    const box = await boxes(api);
    const ids = [await box("a"), await box("b"), await box("c")] as const;
    const [a, b, c] = ids;
    const pairs = [
      [a, b],
      [b, c],
      [c, a],
    ] as const;
    const answers = await Promise.all(
      pairs.map(([id, held]) => api.patch(`/block_documents/${id}`, { data: { held: ref(held) } })),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(1);
    for (const id of ids) expect((await api.get(`/block_documents/${id}`)).status).toBe(200);
  });

  test("cannot make those that hold them too large", async () => {
    await using api = await open();
    const box = await boxes(api);
    const leaf = await box("leaf");
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, ref(leaf)]));
    const middle = await box("middle", many);
    await box("outer", { one: ref(middle) });
    await api.patch(`/block_documents/${leaf}`, { data: { held: ref(await box("a")) } });
    expect((await api.patch(`/block_documents/${middle}`, { data: { last: 1 } })).status).toBe(204);
    const second = { data: { second: ref(await box("b")) } };
    expect(await api.patch(`/block_documents/${leaf}`, second)).toMatchObject({ status: 400 });
  });

  test("cannot be too large together, whichever of them grows", async () => {
    await using api = await open();
    const box = await boxes(api);
    const leaf = await box("leaf", { value: "x".repeat(2_000_000) });
    const places = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, ref(leaf)]));
    const outer = await box("outer", places(5));
    const refused = { status: 400, body: { detail: expect.stringMatching("16777216 bytes") } };
    const patch = (id: string, data: object) => api.patch(`/block_documents/${id}`, { data });
    expect(await patch(outer, places(20))).toMatchObject(refused);
    expect(await patch(outer, { value: "x".repeat(2_000_000) })).toMatchObject({ status: 204 });
    await patch(leaf, { value: "small" });
    expect(await patch(outer, places(20))).toMatchObject({ status: 204 });
    expect(await patch(leaf, { value: "x".repeat(2_000_000) })).toMatchObject(refused);
    expect((await read(api, leaf)).data).toEqual({ value: "small" });
  });

  test("are listed in pages that are not too large", async () => {
    await using api = await open();
    const box = await boxes(api);
    const leaf = await box("leaf", { value: "x".repeat(500_000) });
    const held = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`k${i}`, ref(leaf)]));
    for (let i = 0; i < 12; i += 1) await box(`outer-${i}`, held);
    for (const answer of [
      await api.post("/block_documents/filter", {}),
      await api.get("/block_types/slug/box/block_documents"),
    ])
      expect(answer).toMatchObject({
        status: 413,
        body: { detail: expect.stringMatching("fewer") },
      });
    const page = await api.get("/block_types/slug/box/block_documents?limit=2&offset=1");
    expect(page).toMatchObject({ status: 200, body: [{ name: "outer-0" }, { name: "outer-1" }] });
  });
});
