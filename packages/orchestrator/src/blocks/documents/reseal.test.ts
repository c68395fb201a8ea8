import { openKeyring } from "@orchestrator/kernel/secrets";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { resealDocuments } from "./reseal.service.ts";

const OLD = "07".repeat(32);
const NEW = "08".repeat(32);

interface Body {
  readonly id: string;
  readonly updated: string;
}

const keys = (secretKey: string) => openKeyring({ folder: "", secretKey });

async function documents(api: TestApi, count: number): Promise<Body[]> {
  const type = (await api.post("/block_types/", { name: "A", slug: "a" })).body as Body;
  const made = [];
  for (let i = 0; i < count; i += 1) {
    const body = { name: `d${i}`, block_type_id: type.id, data: { value: i } };
    made.push((await api.post("/block_documents/", body)).body as Body);
  }
  return made;
}

async function sealedWith(api: TestApi): Promise<Record<string, number>> {
  const rows = await api.ctx.db.exclusively((session) =>
    session.rows<{ key: string; count: number }>(
      "select sealed_with as key, count(*) as count from block_documents group by sealed_with",
    ),
  );
  return Object.fromEntries(rows.map(({ key, count }) => [key, Number(count)]));
}

describeEachApi("resealing", (open) => {
  test("brings every document under the new key, after which the old one is not needed", async () => {
    await using api = await open();
    const made = await documents(api, 120);
    const both = keys(`${NEW},${OLD}`);
    const result = await resealDocuments({ ...api.ctx, keyring: both });
    expect(result).toEqual({ resealed: 120, problems: [] });
    expect(await sealedWith(api)).toEqual({ [both.activeKeyId()]: 120 });
    const onlyNew = { ...api.ctx, keyring: keys(NEW) };
    expect(await resealDocuments(onlyNew)).toEqual({ resealed: 0, problems: [] });
    const row = await api.get(`/block_documents/${made[0]?.id}`);
    // The server of this test has only the old key.
    expect(row.status).toBe(500);
  });

  test("takes few at a time, and goes on where it was stopped", async () => {
    await using api = await open();
    await documents(api, 60);
    const keyring = keys(`${NEW},${OLD}`);
    let asked = 0;
    const signal = new AbortController();
    const ctx = {
      ...api.ctx,
      keyring: {
        ...keyring,
        open: (sealed: string, place: string) => {
          asked += 1;
          if (asked === 15) signal.abort();
          return keyring.open(sealed, place);
        },
      },
    };
    expect(await resealDocuments(ctx, signal.signal)).toMatchObject({ resealed: 20 });
    expect(await resealDocuments({ ...api.ctx, keyring })).toMatchObject({ resealed: 40 });
  });

  test("leaves alone what no key opens, and does the rest", async () => {
    await using api = await open();
    const [first] = await documents(api, 3);
    const foreign = keys("09".repeat(32));
    const sealed = foreign.seal("{}", `block_documents/${first?.id}/data`);
    await api.ctx.db.exclusively(async (session) => {
      await session.execute(
        `update block_documents set data = '${sealed}', sealed_with = '${foreign.activeKeyId()}' where id = '${first?.id}'`,
      );
    });
    const { resealed, problems } = await resealDocuments({
      ...api.ctx,
      keyring: keys(`${NEW},${OLD}`),
    });
    expect(resealed).toBe(2);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(foreign.activeKeyId()),
    ]);
  });

  test("does not undo a change that is made meanwhile", async () => {
    await using api = await open();
    const [document] = await documents(api, 1);
    const path = `/block_documents/${document?.id}`;
    const keyring = keys(`${NEW},${OLD}`);
    let change: Promise<unknown> | undefined;
    const db = {
      ...api.ctx.db,
      writeSystem: async <T>(work: Parameters<typeof api.ctx.db.writeSystem<T>>[0]) => {
        change ??= api.patch(path, { data: { value: "later" } });
        await change;
        return api.ctx.db.writeSystem(work);
      },
    };
    expect(await resealDocuments({ db, keyring })).toEqual({ resealed: 0, problems: [] });
    expect(await api.get(`${path}?include_secrets=true`)).toMatchObject({
      status: 200,
      body: { data: { value: "later" } },
    });
    expect(await resealDocuments({ ...api.ctx, keyring })).toMatchObject({ resealed: 1 });
  });
});
