import type { AutomationCreate } from "@orchestrator/contract";
import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../../testing.ts";
import { joinedContext } from "../actions/joined-context.ts";
import { createAutomation } from "../automations.service.ts";
import { createLiveCatalogue, type LiveCatalogue } from "./live-catalogue.service.ts";
import { readChanged } from "./triggers.store.ts";

const BODY: AutomationCreate = {
  name: "watch",
  trigger: { type: "event", expect: ["x"], posture: "Reactive" },
  actions: [],
};

class SecondThoughts extends Error {}

async function held(api: TestApi, live: LiveCatalogue): Promise<number> {
  return api.ctx.db.writeSystem(async (tx) => (await live.hold(tx)).size);
}

describeEachApi("the triggers that are kept in memory", (open) => {
  test("are those of the transaction that asks, and not those of one that was taken back", async () => {
    await using api = await open();
    const scope = openScope("test");
    const live = createLiveCatalogue(api.ctx.dialect);
    await api.post("/automations/", BODY);
    await live.refresh(api.ctx.db.system);
    let size = 0;
    const taken = api.ctx.db.writeSystem(async (tx) => {
      await createAutomation(joinedContext(api.ctx, tx, []), scope, BODY);
      ({ size } = await live.hold(tx));
      throw new SecondThoughts();
    });
    await expect(taken).rejects.toThrow(SecondThoughts);
    expect([size, await held(api, live)]).toEqual([2, 1]);
  });

  test("are read again when what was done with them was not committed, and kept when it was", async () => {
    await using api = await open();
    const live = createLiveCatalogue(api.ctx.dialect);
    const created = await api.post("/automations/", BODY);
    expect(await held(api, live)).toBe(1);
    // Nobody has said that it was committed; the automation is there all the same.
    expect(await held(api, live)).toBe(1);
    live.keep();
    const { id } = created.body as { id: string };
    await api.delete(`/automations/${id}`);
    expect(await held(api, live)).toBe(0);
    await live.refresh(api.ctx.db.system);
    expect(await held(api, live)).toBe(0);
  });

  test("are read without those of automations that were deleted before", async () => {
    await using api = await open();
    const { system } = api.ctx.db;
    const create = async () => ((await api.post("/automations/", BODY)).body as { id: string }).id;
    const [gone, kept] = [await create(), await create()];
    await api.delete(`/automations/${gone}`);
    expect((await readChanged(system, 0)).map((row) => row.automation_id)).toEqual([kept]);
    const since = (await readChanged(system, 1)).map((row) => row.automation_id);
    expect(new Set(since)).toEqual(new Set([gone, kept]));
  });
});
