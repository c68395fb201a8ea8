import { expect, test } from "vitest";
import { receiveTrigger } from "./receive-trigger.rules.ts";
import { Simulation } from "./simulation.rules.ts";

const WORKSPACE = "00000000-0000-4000-8000-000000000000";
const LIMITS = { entries: 10, steps: 100, patternSteps: 1000 };

test("events that wait for one that never comes do not take for ever", () => {
  const trigger = receiveTrigger(
    { type: "event", posture: "Reactive", expect: ["x"], threshold: 1, within: 0 },
    () => WORKSPACE,
  );
  const nothing = { actions: [], actionsOnTrigger: [], name: "", description: "", tags: [] };
  const automation = { id: WORKSPACE, workspaceId: WORKSPACE, trigger, ...nothing };
  const simulation = new Simulation(automation, "orchestrator", LIMITS);
  simulation.begin(0);
  for (let index = 0; index < 1000 && simulation.truncation === null; index += 1) {
    const arrival = { id: `${index}`, workspaceId: WORKSPACE, name: "x", follows: "nobody" };
    simulation.feed({ ...arrival, received: index, turn: index, event: null });
  }
  expect(simulation.truncation).toBe("steps");
  expect(simulation.result().events_read).toBeGreaterThan(LIMITS.steps);
});
