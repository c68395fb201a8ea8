import type { FlowRunGraph, GraphNode } from "@orchestrator/contract";

export interface TimelineRow {
  readonly node: GraphNode;
  /** How many others it ran within. */
  readonly depth: number;
  /** Shares of the whole width, from 0 to 1. */
  readonly left: number;
  readonly width: number;
  readonly seconds: number;
}

export interface Timeline {
  readonly rows: readonly TimelineRow[];
  readonly start: number;
  readonly seconds: number;
}

/**
 * Everything that ran, in the order in which it began, laid out between the first beginning and the
 * last end.
 */
export function timelineOf({ nodes, start_time, end_time }: FlowRunGraph, now: number): Timeline {
  // What has no end in a run that has one never ran, or nobody told of its end.
  const latest = end_time === null ? now : Date.parse(end_time);
  const all = nodes.map(([, node]) => ({
    node,
    from: Date.parse(node.start_time),
    to: endOf(node, latest),
  }));
  const starts = all.map(({ from }) => from);
  // Clocks differ: a task may have begun before its run did.
  const start = Math.min(start_time === null ? now : Date.parse(start_time), least(starts, now));
  const end = Math.max(
    latest,
    most(
      all.map(({ to }) => to),
      start,
    ),
  );
  const length = Math.max(1, end - start);
  const rows = all
    .sort((a, b) => a.from - b.from)
    .map(({ node, from, to }) => ({
      node,
      depth: node.encapsulating.length,
      left: Math.max(0, (from - start) / length),
      width: Math.max(0, (to - from) / length),
      seconds: Math.max(0, (to - from) / 1000),
    }));
  return { rows, start, seconds: length / 1000 };
}

const endOf = (node: GraphNode, latest: number): number =>
  node.end_time === null ? latest : Date.parse(node.end_time);

// Not `Math.min(...list)`: a run of a hundred thousand tasks would not fit on the stack.
const least = (times: readonly number[], otherwise: number): number =>
  times.reduce((a, b) => Math.min(a, b), times[0] ?? otherwise);
const most = (times: readonly number[], otherwise: number): number =>
  times.reduce((a, b) => Math.max(a, b), otherwise);
