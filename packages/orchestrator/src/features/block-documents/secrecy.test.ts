import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";

const MARKER = "marker-9c1f-planted";

interface Body {
  readonly id: string;
  readonly slug: string;
}

/** Every row of every table, as text. */
async function wholeDatabase({ ctx }: TestApi): Promise<string> {
  return ctx.db.exclusively(async (session) => {
    const tables = await session.rows<{ name: string }>(
      session.dialect.name === "sqlite"
        ? "select name from sqlite_master where type = 'table'"
        : "select table_name as name from information_schema.tables where table_schema = current_schema()",
    );
    const contents = [];
    for (const { name } of tables) {
      const rows = await session.rows(`select * from "${name}"`);
      contents.push(name, JSON.stringify(rows));
    }
    return contents.join("\n");
  });
}

describeEachApi("a secret in a block document", (open) => {
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
    const answers: string[] = [];
    const remember = async (
      answer: Promise<{ readonly status: number; readonly body: unknown }>,
    ) => {
      const { status, body } = await answer;
      answers.push(JSON.stringify(body ?? null));
      return { status, id: (body as Body | undefined)?.id };
    };

    const one = await remember(api.post("/block_documents/", { ...secret, name: "one" }));
    const two = await remember(api.post("/block_documents/", { ...webhook, name: "two" }));
    const held = { inner: { $ref: { block_document_id: one.id } } };
    const three = await remember(
      api.post("/block_documents/", {
        ...secret,
        name: "three",
        data: { ...secret.data, ...held },
      }),
    );
    expect([one.status, two.status, three.status]).toEqual([201, 201, 201]);

    // Everything that can go wrong while a secret is sent.
    const refused = [
      api.post("/block_documents/", { ...secret, name: "one" }),
      api.post("/block_documents/", { ...secret, name: "NOT A NAME" }),
      api.post("/block_documents/", { ...secret, name: "x", is_anonymous: "maybe" }),
      api.post("/block_documents/", { ...secret, name: "x", unknown: true }),
      api.post("/block_documents/", { ...secret, name: "x", data: MARKER }),
      api.post("/block_documents/", { ...secret, name: "x", block_type_id: one.id }),
      api.post("/block_documents/", { ...secret, name: "x", data: { a: { $ref: { x: MARKER } } } }),
      api.patch(`/block_documents/${one.id}`, { data: { value: MARKER }, extra: 1 }),
      api.patch(`/block_documents/${one.id}`, { data: [MARKER] }),
      api.post("/block_documents/", { name: "x", block_type_id: idOf("secret"), value: MARKER }),
      api.patch(`/block_documents/${one.id}`, secret.data),
      api.patch(`/block_documents/${one.id}`, {
        data: { value: MARKER, loop: { $ref: { block_document_id: three.id } } },
      }),
    ];
    for (const { status } of await Promise.all(refused.map(remember)))
      expect(status).toBeGreaterThanOrEqual(400);

    await remember(api.patch(`/block_documents/${one.id}`, { data: { value: `${MARKER}-2` } }));
    for (const path of [one, two, three].map(({ id }) => `/block_documents/${id}`))
      await remember(api.get(path));
    await remember(api.get("/block_types/slug/secret/block_documents"));
    await remember(api.get("/block_types/slug/secret/block_documents/name/three"));
    await remember(api.post("/block_documents/filter", {}));
    await remember(api.delete(`/block_documents/${two.id}`));
    expect(answers.filter((answer) => answer.includes(MARKER))).toEqual([]);

    expect(JSON.stringify(await api.events())).not.toContain(MARKER);
    const database = await wholeDatabase(api);
    expect(database).toContain("block_documents");
    expect(database).toContain("sealed:v1:");
    expect(database).not.toContain(MARKER);
    // It is there all the same.
    const read = await api.get(`/block_documents/${three.id}?include_secrets=true`);
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
