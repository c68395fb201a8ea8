import { openScope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import { expect, test } from "vitest";
import { describeEachApi } from "../../testing.ts";
import { emitDocumentsDeleted } from "./deleted-documents.service.ts";

const DOCUMENTS = 25;

describeEachApi("documents that go with their type", (open) => {
  test("are all told of, though few of them are read at once", async () => {
    await using api = await open();
    const type = (await api.post("/block_types/", { name: "A", slug: "a" })).body as { id: string };
    for (let i = 0; i < DOCUMENTS; i += 1)
      await api.post("/block_documents/", { name: `d${i}`, block_type_id: type.id, data: {} });
    const pages: number[] = [];
    await api.ctx.db.write(openScope("test").workspaceId, async (tx) => {
      const read = tx.all.bind(tx) as Transaction["all"];
      tx.all = async (statement, parameters) => {
        const rows = await read(statement, parameters);
        pages.push(rows.length);
        return rows;
      };
      await emitDocumentsDeleted(api.ctx, tx, { blockTypeId: type.id });
    });
    expect(Math.max(...pages)).toBeLessThanOrEqual(10);
    const told = (await api.events()).filter(({ event }) =>
      event.endsWith(".block-document.deleted"),
    );
    expect(told).toHaveLength(DOCUMENTS);
  });
});
