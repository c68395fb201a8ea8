import { expect, test } from "vitest";
import { describeEachApi } from "../../testing.ts";

const AUTOMATION = {
  name: "watch",
  trigger: { type: "event", expect: ["x"], posture: "Reactive" },
  actions: [{ type: "do-nothing" }],
};

describeEachApi("a workspace with as many automations as it may have", (open) => {
  test("gets no more of them, also where several are created at once", async () => {
    await using api = await open({ settings: { automationsPerWorkspace: 3 } });
    const create = () => api.post("/automations/", AUTOMATION);
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(create));
    const refused = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.body).toMatchObject({
      detail: expect.stringMatching(
        /at most 3 automations.+ORCHESTRATOR_AUTOMATIONS_PER_WORKSPACE/,
      ),
    });
    expect((await api.post("/automations/count", {})).body).toBe(3);
    expect(await api.events()).toHaveLength(3);
  });

  test("gets another when one is deleted, and may change those it has", async () => {
    await using api = await open({ settings: { automationsPerWorkspace: 1 } });
    const { body } = await api.post("/automations/", AUTOMATION);
    const path = `/automations/${(body as { id: string }).id}`;
    expect(await api.request("PUT", path, { body: AUTOMATION })).toMatchObject({ status: 204 });
    expect(await api.post("/automations/", AUTOMATION)).toMatchObject({ status: 409 });
    await api.delete(path);
    expect(await api.post("/automations/", AUTOMATION)).toMatchObject({ status: 201 });
  });
});
