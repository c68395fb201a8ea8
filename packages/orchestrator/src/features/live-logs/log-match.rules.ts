// Which log lines a filter means, decided on lines at hand; the same as the list of lines decides in SQL.

import type { LogFilter } from "@orchestrator/contract";
import { parseTextSearch, textMatcher } from "@orchestrator/kernel";
import type { Static } from "typebox";

/** What a line is judged by. */
export interface JudgedLine {
  readonly name: string;
  readonly level: number;
  readonly message: string;
  readonly timestamp: string;
  readonly flow_run_id: string | null;
  readonly task_run_id: string | null;
}

type Filter = Static<typeof LogFilter>;
type Test = (line: JudgedLine) => boolean;
/** Null: not given, no restriction. */
type Condition = Test | null;

export function logMatcher(filter: Filter): Test {
  const { level, timestamp, flow_run_id, task_run_id, text } = filter;
  const whole = join(filter, [
    level &&
      join(level, [
        when(level.ge_, (least) => (line) => line.level >= least),
        when(level.le_, (most) => (line) => line.level <= most),
      ]),
    timestamp &&
      join(timestamp, [
        when(timestamp.after_, (first) => (line) => line.timestamp >= first),
        when(timestamp.before_, (last) => (line) => line.timestamp <= last),
      ]),
    flow_run_id && when(flow_run_id.any_, (ids) => (line) => holds(ids, line.flow_run_id)),
    task_run_id &&
      join(task_run_id, [
        when(task_run_id.any_, (ids) => (line) => holds(ids, line.task_run_id)),
        when(task_run_id.is_null_, (isNull) => (line) => (line.task_run_id === null) === isNull),
      ]),
    text && textCondition(text.query),
  ]);
  return whole ?? (() => true);
}

function textCondition(query: string): Test {
  const matches = textMatcher(parseTextSearch(query));
  return ({ message, name }) => matches(`${message}\n${name}`);
}

/** All must hold, or one of them where the filter says so. */
function join(filter: object, conditions: readonly (Condition | undefined)[]): Condition {
  const tests = conditions.filter((condition) => condition != null);
  if (tests.length === 0) return null;
  const isAny = (filter as { readonly operator?: unknown }).operator === "or_";
  return isAny
    ? (line) => tests.some((test) => test(line))
    : (line) => tests.every((test) => test(line));
}

function when<T>(operand: T | null | undefined, test: (operand: T) => Test): Condition {
  return operand == null ? null : test(operand);
}

function holds(ids: readonly string[], id: string | null): boolean {
  return id !== null && ids.includes(id);
}
