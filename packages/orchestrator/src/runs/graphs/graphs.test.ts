import type { FlowRunGraph, GraphNode } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { addFlow, addFlowRun, addFlowRunState, addTaskRun } from "../../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const at = (minute: number): string =>
  `2026-01-01T12:${String(minute).padStart(2, "0")}:00.000000Z`;
const from = (id: string) => ({ input_type: "task_run", id });

async function graphOf(api: TestApi, id: string, query = ""): Promise<FlowRunGraph> {
  const answer = await api.get(`/flow_runs/${id}/graph-v2${query}`);
  expect(answer.status).toBe(200);
  return answer.body as FlowRunGraph;
}

const ids = (edges: readonly { readonly id: string }[] = []) => edges.map(({ id }) => id);

describeEachApi("the graph of a flow run", (open) => {
  const withRun = async (given: object = {}) => {
    const api = await open();
    const { id: flow_id } = await addFlow(api, { name: "etl" });
    const run = await addFlowRun(api, { flow_id, start_time: at(0), end_time: at(30), ...given });
    const task = (minute: number, more: object = {}) =>
      addTaskRun(api, {
        flow_run_id: run.id,
        name: `task ${minute}`,
        start_time: at(minute),
        end_time: at(minute + 1),
        ...more,
      });
    return { api, flow_id, run, task, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
  };

  test("has its task runs in the order they started, linked by their inputs", async () => {
    await using t = await withRun();
    const first = await t.task(1);
    const inner = await t.task(2, { task_inputs: { __parents__: [from(first.id)] } });
    const last = await t.task(3, {
      task_inputs: {
        x: [from(first.id), from(inner.id), { input_type: "parameter", name: "p" }],
        y: [from(first.id), from(UNKNOWN_ID)],
      },
    });
    const graph = await graphOf(t.api, t.run.id);
    expect(graph).toMatchObject({ start_time: at(0), end_time: at(30), artifacts: [], states: [] });
    expect(graph.root_node_ids).toEqual([first.id, inner.id]);
    expect(graph.nodes.map(([id]) => id)).toEqual([first.id, inner.id, last.id]);
    const nodes = new Map<string, GraphNode>(graph.nodes.map(([id, node]) => [id, node]));
    expect(nodes.get(first.id)).toEqual({
      kind: "task-run",
      id: first.id,
      label: "task 1",
      state_type: "COMPLETED",
      start_time: at(1),
      end_time: at(2),
      parents: [],
      children: [{ id: last.id }],
      encapsulating: [],
      artifacts: [],
    });
    expect(ids(nodes.get(last.id)?.parents)).toEqual([first.id, inner.id]);
    expect(ids(nodes.get(inner.id)?.encapsulating)).toEqual([first.id]);
  });

  test("shows a subflow in place of the task run that stands for it", async () => {
    await using t = await withRun();
    const dummy = await t.task(1);
    const child = await addFlowRun(t.api, {
      flow_id: t.flow_id,
      name: "calm-otter",
      parent_task_run_id: dummy.id,
      state_type: "RUNNING",
      start_time: at(2),
      end_time: null,
    });
    const after = await t.task(3, { task_inputs: { x: [from(dummy.id)] } });
    const { nodes, root_node_ids } = await graphOf(t.api, t.run.id);
    expect(root_node_ids).toEqual([child.id]);
    expect(nodes[0]?.[1]).toMatchObject({
      kind: "flow-run",
      id: child.id,
      label: "etl / calm-otter",
      state_type: "RUNNING",
      start_time: at(2),
      children: [{ id: after.id }],
    });
    expect(nodes[1]?.[1].parents).toEqual([{ id: child.id }]);
  });

  test("gives a completed task without an end the time it was expected at", async () => {
    await using t = await withRun();
    const times = { start_time: null, expected_start_time: at(5), end_time: null };
    await t.task(5, times);
    await t.task(6, { ...times, state_type: "RUNNING" });
    await t.task(7, { ...times, expected_start_time: null });
    const { nodes } = await graphOf(t.api, t.run.id);
    expect(nodes.map(([, { label, end_time }]) => [label, end_time])).toEqual([
      ["task 5", at(5)],
      ["task 6", null],
    ]);
  });

  test("leaves out what had ended before a given time", async () => {
    await using t = await withRun();
    await t.task(1);
    await t.task(5);
    await t.task(2, { end_time: null, state_type: "RUNNING" });
    const { nodes } = await graphOf(t.api, t.run.id, `?since=${at(6)}`);
    expect(nodes.map(([, { label }]) => label)).toEqual(["task 2", "task 5"]);
  });

  test("keeps the edges to what it leaves out", async () => {
    await using t = await withRun();
    const ended = await t.task(1);
    const running = { end_time: null, state_type: "RUNNING" };
    const kept = await t.task(3, { ...running, task_inputs: { x: [from(ended.id)] } });
    const stopped = await t.task(4, { task_inputs: { x: [from(kept.id)] } });
    const inner = await t.task(8, { ...running, task_inputs: { __parents__: [from(ended.id)] } });
    const graph = await graphOf(t.api, t.run.id, `?since=${at(6)}`);
    expect(graph.root_node_ids).toEqual([inner.id]);
    expect(graph.nodes).toMatchObject([
      [kept.id, { parents: [{ id: ended.id }], children: [{ id: stopped.id }] }],
      [inner.id, { parents: [], encapsulating: [{ id: ended.id }] }],
    ]);
  });

  test("holds the states of the run and its artifacts where they belong", async () => {
    await using t = await withRun();
    const task = await t.task(1);
    const state = await addFlowRunState(t.api, t.run.id, { type: "RUNNING", timestamp: at(0) });
    const place = { flow_run_id: t.run.id };
    const added = async (body: object) => {
      const answer = await t.api.post("/artifacts/", { ...place, ...body });
      expect(answer.status).toBe(201);
      return (answer.body as { id: string }).id;
    };
    const old = await added({ key: "report", type: "markdown", data: "old" });
    const latest = await added({ key: "report", type: "markdown", data: "new" });
    const progress = await added({ type: "progress", data: 0.5, task_run_id: task.id });
    await added({ type: "result", data: 1 });
    const graph = await graphOf(t.api, t.run.id);
    expect(graph.artifacts).toMatchObject([
      { id: old, key: "report", type: "markdown", is_latest: false, data: null },
      { id: latest, key: "report", type: "markdown", is_latest: true, data: null },
    ]);
    expect(graph.nodes[0]?.[1].artifacts).toMatchObject([
      { id: progress, key: null, type: "progress", is_latest: true, data: 0.5 },
    ]);
    expect(graph.states).toEqual([
      { id: state.id, timestamp: at(0), type: "RUNNING", name: "Running" },
    ]);
  });

  test("is 404 when there is no such run", async () => {
    await using api = await open();
    expect(await api.get(`/flow_runs/${UNKNOWN_ID}/graph-v2`)).toMatchObject({ status: 404 });
    expect(await api.get(`/flow_runs/${UNKNOWN_ID}/graph`)).toMatchObject({ status: 404 });
  });

  test("in its old form lists task runs with those they depend on", async () => {
    await using t = await withRun();
    const first = await t.task(1, { total_run_time: 60 });
    const second = await t.task(2, {
      expected_start_time: at(2),
      task_inputs: { x: [from(first.id)], y: [from(first.id), { input_type: "constant" }] },
    });
    const answer = await t.api.get(`/flow_runs/${t.run.id}/graph`);
    expect(answer).toMatchObject({
      status: 200,
      body: [
        {
          id: first.id,
          name: "task 1",
          upstream_dependencies: [],
          state: null,
          start_time: at(1),
          end_time: at(2),
          total_run_time: 60,
          estimated_run_time: 60,
          untrackable_result: false,
        },
        { id: second.id, upstream_dependencies: [{ input_type: "task_run", id: first.id }] },
      ],
    });
  });
});
