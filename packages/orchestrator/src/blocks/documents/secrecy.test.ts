import { expect, test } from "vitest";
import { describeEachApi, PLANTED_SECRET as MARKER } from "../../testing.ts";

interface Body {
  readonly id: string;
  readonly slug: string;
}

describeEachApi("a secret in a block document", (open) => {
  // The harness looks at every answer, every event, every line of the log and every row.
  test("stands in no row, no event, no list and no error", async () => {
    await using api = await open();
    await api.post("/block_types/install_system_block_types");
    const types = (await api.post("/block_types/filter", {})).body as Body[];
    const idOf = (slug: string) => types.find((type) => type.slug === slug)?.id;
    const secret = { block_type_id: idOf("secret"), data: { value: MARKER } };
    const webhook = {
      block_type_id: idOf("webhook"),
      data: { url: `https://x.test/${MARKER}`, headers: { Authorization: MARKER } },
    };
    const create = async (body: object): Promise<string> => {
      const answer = await api.post("/block_documents/", body);
      expect(answer.status).toBe(201);
      return (answer.body as Body).id;
    };

    const one = await create({ ...secret, name: "one" });
    const two = await create({ ...webhook, name: "two" });
    const held = { inner: { $ref: { block_document_id: one } } };
    const three = await create({ ...secret, name: "three", data: { ...secret.data, ...held } });

    // Everything that can go wrong while a secret is sent.
    const refused = [
      api.post("/block_documents/", { ...secret, name: "one" }),
      api.post("/block_documents/", { ...secret, name: "NOT A NAME" }),
      api.post("/block_documents/", { ...secret, name: "x", is_anonymous: "maybe" }),
      api.post("/block_documents/", { ...secret, name: "x", unknown: true }),
      api.post("/block_documents/", { ...secret, name: "x", data: MARKER }),
      api.post("/block_documents/", { ...secret, name: "x", block_type_id: one }),
      api.post("/block_documents/", { ...secret, name: "x", data: { a: { $ref: { x: MARKER } } } }),
      api.patch(`/block_documents/${one}`, { data: { value: MARKER }, extra: 1 }),
      api.patch(`/block_documents/${one}`, { data: [MARKER] }),
      api.post("/block_documents/", { name: "x", block_type_id: idOf("secret"), value: MARKER }),
      api.patch(`/block_documents/${one}`, secret.data),
      api.patch(`/block_documents/${one}`, {
        data: { value: MARKER, loop: { $ref: { block_document_id: three } } },
      }),
    ];
    for (const { status } of await Promise.all(refused)) expect(status).toBeGreaterThanOrEqual(400);

    await api.patch(`/block_documents/${one}`, { data: { value: `${MARKER}-2` } });
    for (const path of [one, two, three].map((id) => `/block_documents/${id}`)) await api.get(path);
    await api.get("/block_types/slug/secret/block_documents");
    await api.get("/block_types/slug/secret/block_documents/name/three");
    await api.post("/block_documents/filter", {});
    await api.delete(`/block_documents/${two}`);
    // It is there all the same.
    const read = await api.get(`/block_documents/${three}?include_secrets=true`);
    expect(read).toMatchObject({
      body: { data: { value: MARKER, inner: { value: `${MARKER}-2` } } },
    });
  });

  test("opens in its own place only", async () => {
    await using api = await open();
    const type = (await api.post("/block_types/", { name: "A", slug: "a" })).body as Body;
    const create = async (name: string) => {
      const body = { name, block_type_id: type.id, data: { value: name } };
      return (await api.post("/block_documents/", body)).body as Body;
    };
    const [one, two] = [await create("one"), await create("two")];
    await api.ctx.db.exclusively(async (session) => {
      await session.execute(
        `update block_documents set data = (select data from block_documents where id = '${one.id}') where id = '${two.id}'`,
      );
    });
    expect((await api.get(`/block_documents/${one.id}`)).status).toBe(200);
    const moved = await api.get(`/block_documents/${two.id}`);
    expect(moved.status).toBe(500);
    // What cannot be opened can still be deleted.
    expect((await api.delete(`/block_documents/${two.id}`)).status).toBe(204);
  });
});
