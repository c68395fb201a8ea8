import type { StateType } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { addFlow, addFlowRun } from "../testing/run-fixtures.ts";
import { describeEachApi } from "../testing.ts";

const at = (minute: number): string =>
  `2026-01-01T10:${String(minute).padStart(2, "0")}:00.000000Z`;

interface FailureLists {
  readonly failed: readonly { readonly name: string }[];
  readonly late: readonly { readonly name: string }[];
}

describeEachApi("troubles", (open) => {
  test("are the runs that failed, the latest first, and those that are late, the oldest first", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api, { name: "etl" });
    const add = (
      name: string,
      state_type: StateType,
      minute: number,
      state_name: string = state_type,
    ) =>
      addFlowRun(api, { flow_id, name, state_type, state_name, expected_start_time: at(minute) });
    await add("fine", "COMPLETED", 9);
    await add("failed", "FAILED", 1);
    const crashed = await add("crashed", "CRASHED", 2);
    await add("waits", "SCHEDULED", 1, "Scheduled");
    await add("late", "SCHEDULED", 4, "Late");
    await add("later", "SCHEDULED", 3, "Late");
    const ask = async (body?: object) => {
      const answer = await api.post("/ui/flow_runs/troubles", body);
      expect(answer.status).toBe(200);
      return answer.body as FailureLists;
    };
    const all = await ask();
    expect(all.failed.map(({ name }) => name)).toEqual(["crashed", "failed"]);
    expect(all.late.map(({ name }) => name)).toEqual(["later", "late"]);
    expect(all.failed[0]).toEqual({
      id: crashed.id,
      name: "crashed",
      flow_id,
      flow_name: "etl",
      state_type: "CRASHED",
      state_name: "CRASHED",
      expected_start_time: at(2),
      start_time: crashed.start_time,
    });
    // What is late stays so, however long ago it was due.
    const lately = await ask({ since: at(2), limit: 1 });
    expect(lately.failed.map(({ name }) => name)).toEqual(["crashed"]);
    expect(lately.late.map(({ name }) => name)).toEqual(["later"]);
    expect(await api.post("/ui/flow_runs/troubles", { limit: 51 })).toMatchObject({ status: 422 });
  });
});
