import type { JsonValue, StateCreate, StateDetails } from "@orchestrator/contract";
import { systemIds } from "@orchestrator/kernel/pure";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { ALL, ANY_ID, ENDS, later, NOW } from "../../testing/rule-tests.ts";
import {
  hasPersistedData,
  isTerminal,
  receiveState,
  storedState,
  withDetails,
} from "./run-state.ts";

const ids = systemIds(manualClock(NOW));
const receive = (state: StateCreate) => receiveState(state, { ids, now: NOW });

test("a proposal gets an id, a time and every detail", () => {
  expect(receive({ type: "RUNNING" })).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    type: "RUNNING",
    name: "Running",
    timestamp: NOW,
    message: null,
    data: null,
    state_details: {
      flow_run_id: null,
      task_run_id: null,
      child_flow_run_id: null,
      scheduled_time: null,
      cache_key: null,
      cache_expiration: null,
      deferred: false,
      untrackable_result: false,
      pause_timeout: null,
      pause_reschedule: false,
      pause_key: null,
      run_input_keyset: null,
      refresh_cache: null,
      retriable: null,
      transition_id: null,
      task_parameters_id: null,
      traceparent: null,
      deployment_concurrency_lease_id: null,
      claim_id: null,
    },
  });
});

test("what is given stays, and null is as good as absent", () => {
  const state_details = { transition_id: ANY_ID, retriable: false };
  expect(
    receive({ type: "FAILED", name: "TimedOut", message: "m", data: 0, state_details }),
  ).toMatchObject({ name: "TimedOut", message: "m", data: 0, state_details });
  const unsaid = receive({ type: "FAILED", name: null, state_details: { pause_reschedule: null } });
  expect(unsaid).toMatchObject({ name: "Failed", state_details: { pause_reschedule: false } });
});

test("details that are not known are let go", () => {
  const state_details = { weather: "fine" } as StateCreate["state_details"];
  const state = receive({ type: "RUNNING", ...(state_details && { state_details }) });
  expect(state.state_details).not.toHaveProperty("weather");
});

test("a state is called by its type unless it has a name", () => {
  expect(ALL.map((type) => receive({ type }).name)).toEqual([
    "Scheduled",
    "Pending",
    "Running",
    "Completed",
    "Failed",
    "Cancelled",
    "Crashed",
    "Paused",
    "Cancelling",
  ]);
});

test("what is scheduled for no time is scheduled for now, and nothing else is", () => {
  const times = ALL.map((type) => receive({ type }).state_details.scheduled_time);
  expect(times).toEqual(ALL.map((type) => (type === "SCHEDULED" ? NOW : null)));
  const scheduled_time = later(60);
  expect(receive({ type: "SCHEDULED", state_details: { scheduled_time } })).toMatchObject({
    state_details: { scheduled_time },
  });
});

test("four types of state end a run", () => {
  expect(ALL.filter(isTerminal)).toEqual([...ENDS]);
});

test("other details leave the rest of a state alone", () => {
  const state = receive({ type: "RUNNING", message: "m" });
  expect(withDetails(state, { claim_id: ANY_ID })).toEqual({
    ...state,
    state_details: { ...state.state_details, claim_id: ANY_ID },
  });
});

test("a run that is said to be neither deferred nor not is left so", () => {
  const deferredOf = (state_details: StateDetails) =>
    receive({ type: "SCHEDULED", state_details }).state_details.deferred;
  expect([{}, { deferred: null }, { deferred: true }].map(deferredOf)).toEqual([false, null, true]);
});

test("a result is kept unless its data says that it was not, and that note is not stored", () => {
  const cases: readonly (readonly [JsonValue, boolean, JsonValue])[] = [
    [null, false, null],
    [{ type: "unpersisted" }, false, null],
    [{}, false, {}],
    [{ type: "reference" }, true, { type: "reference" }],
    [{ storage_key: "k" }, true, { storage_key: "k" }],
    [[1], false, [1]],
    ["text", false, "text"],
  ];
  for (const [data, isPersisted, stored] of cases) {
    const state = receive({ type: "COMPLETED", data });
    expect(hasPersistedData(state)).toBe(isPersisted);
    expect(JSON.parse(storedState(state))).toEqual({ ...state, data: stored });
  }
});
