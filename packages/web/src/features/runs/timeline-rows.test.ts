import type { FlowRunGraph, GraphNode } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { timelineOf } from "./timeline-rows.ts";

const at = (second: number) => new Date(Date.UTC(2026, 10, 15, 9, 0, second)).toISOString();

function node(
  id: string,
  from: number,
  to: number | null,
  within: readonly string[] = [],
): GraphNode {
  return {
    kind: "task-run",
    id,
    label: id,
    state_type: to === null ? "RUNNING" : "COMPLETED",
    start_time: at(from),
    end_time: to === null ? null : at(to),
    parents: [],
    children: [],
    encapsulating: within.map((outer) => ({ id: outer })),
    artifacts: [],
  };
}

function graph(nodes: readonly GraphNode[], end: number | null): FlowRunGraph {
  return {
    start_time: at(0),
    end_time: end === null ? null : at(end),
    root_node_ids: [],
    nodes: nodes.map((one) => [one.id, one] as const),
    artifacts: [],
    states: [],
  };
}

test("rows come in the order in which they began, laid out between start and end", () => {
  const { rows, seconds } = timelineOf(
    graph([node("b", 5, 10), node("a", 0, 5)], 10),
    Date.parse(at(60)),
  );
  expect(seconds).toBe(10);
  expect(rows.map(({ node: { id }, left, width }) => ({ id, left, width }))).toEqual([
    { id: "a", left: 0, width: 0.5 },
    { id: "b", left: 0.5, width: 0.5 },
  ]);
});

test("what has not ended reaches until now", () => {
  const { rows, seconds } = timelineOf(graph([node("a", 5, null)], null), Date.parse(at(20)));
  expect(seconds).toBe(20);
  expect(rows[0]).toMatchObject({ left: 0.25, width: 0.75, seconds: 15 });
});

test("what has no end in a run that has ended reaches until that end", () => {
  const { rows, seconds } = timelineOf(
    graph([node("a", 0, 4), node("b", 5, null)], 10),
    Date.parse(at(60)),
  );
  expect(seconds).toBe(10);
  expect(rows[1]).toMatchObject({ left: 0.5, width: 0.5, seconds: 5 });
});

test("a task whose clock is ahead of its run's is laid out, too", () => {
  const { rows } = timelineOf(graph([node("a", -10, 0), node("b", 0, 10)], 10), 0);
  expect(rows.map(({ left, width }) => [left, width])).toEqual([
    [0, 0.5],
    [0.5, 0.5],
  ]);
});

test("what ran within another is indented", () => {
  const { rows } = timelineOf(graph([node("outer", 0, 9), node("inner", 1, 2, ["outer"])], 10), 0);
  expect(rows.map(({ depth }) => depth)).toEqual([0, 1]);
});

test("a run of very many tasks is laid out", () => {
  const many = Array.from({ length: 200_000 }, (_, i) => node(String(i), i % 50, (i % 50) + 1));
  expect(timelineOf(graph(many, 60), Date.parse(at(60))).rows).toHaveLength(200_000);
});
