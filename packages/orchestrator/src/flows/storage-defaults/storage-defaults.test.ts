import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

async function aDocument(api: TestApi, capabilities: readonly string[]) {
  const slug = capabilities.join("-") || "nothing";
  const type = (await api.post("/block_types/", { name: slug, slug })).body as { id: string };
  const schema = (await api.post("/block_schemas/", { block_type_id: type.id, capabilities }))
    .body as { id: string };
  const { body } = await api.post("/block_documents/", { name: "one", block_type_id: type.id });
  return { type: type.id, schema: schema.id, id: (body as { id: string }).id };
}

const choose = (api: TestApi, id: string) =>
  api.request("PUT", "/admin/storage", { body: { default_result_storage_block_id: id } });
const chosen = async (api: TestApi) => (await api.get("/admin/storage")).body;
const storage = (id: string | null) => ({ default_result_storage_block_id: id });

describeEachApi("the default result storage", (open) => {
  test("is none, then the one that was chosen, then none again", async () => {
    await using api = await open();
    expect(await chosen(api)).toEqual(storage(null));
    const { id } = await aDocument(api, ["read-path", "write-path"]);
    expect(await choose(api, id)).toMatchObject({ status: 200, body: storage(id) });
    expect(await choose(api, id)).toMatchObject({ status: 200 });
    expect(await chosen(api)).toEqual(storage(id));
    expect((await api.delete("/admin/storage")).status).toBe(204);
    expect(await chosen(api)).toEqual(storage(null));
    expect((await api.delete("/admin/storage")).status).toBe(204);
  });

  test("must be a block that can be written to", async () => {
    await using api = await open();
    const { id } = await aDocument(api, ["read-path"]);
    expect(await choose(api, id)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("write-path") },
    });
    expect((await choose(api, UNKNOWN_ID)).status).toBe(404);
    expect((await api.request("PUT", "/admin/storage", { body: {} })).status).toBe(422);
    expect(await chosen(api)).toEqual(storage(null));
  });

  test.each(["block_documents", "block_schemas", "block_types"] as const)(
    "goes when one of its %s is deleted",
    async (what) => {
      await using api = await open();
      const made = await aDocument(api, ["write-path"]);
      await choose(api, made.id);
      const ids = { block_documents: made.id, block_schemas: made.schema, block_types: made.type };
      expect((await api.delete(`/${what}/${ids[what]}`)).status).toBe(204);
      expect(await chosen(api)).toEqual(storage(null));
    },
  );
});
