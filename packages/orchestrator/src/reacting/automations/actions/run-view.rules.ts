// Runs, and other things that templates name, with times that are times.

import { withoutFraction } from "@orchestrator/exact-json";
import { EnumMember, ModelValue, readTime, TimeSpan, type Value } from "@orchestrator/jinja";
import { type ResourceLabels, resourceLabel } from "../../../telemetry/events/labels.rules.ts";

type Values = Readonly<Record<string, unknown>>;

/** Fields that hold a time, in any of them. */
const TIMES: ReadonlySet<string> = new Set([
  "created",
  "updated",
  "expected_start_time",
  "next_scheduled_start_time",
  "start_time",
  "end_time",
  "cache_expiration",
  "last_polled",
  "timestamp",
  "occurred",
  "received",
  "triggered",
]);
const SPANS: ReadonlySet<string> = new Set([
  "total_run_time",
  "estimated_run_time",
  "estimated_start_time_delta",
]);
const MICROSECONDS = 1_000_000;

/** The fields of an object with times, spans and states as such. */
export function viewFieldsOf(values: Values, status: string | null = null): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, fieldOf(name, value, status)]),
  );
}

function fieldOf(name: string, value: unknown, status: string | null): unknown {
  if (typeof value === "string") {
    if (TIMES.has(name)) return readTime(value) ?? value;
    if (name === "state_type") return new EnumMember("StateType", value);
    return name === "status" && status !== null ? new EnumMember(status, value) : value;
  }
  const number = withoutFraction(value);
  if (typeof number === "number" && SPANS.has(name))
    return new TimeSpan(BigInt(Math.round(number * MICROSECONDS)));
  return name === "state" && isState(value) ? new StateView(value) : value;
}

interface StateValues extends Values {
  readonly type: string;
  readonly name: string;
}

const isState = (value: unknown): value is StateValues =>
  typeof value === "object" && value !== null && "type" in value && "name" in value;

const TYPES = [
  "SCHEDULED",
  "PENDING",
  "RUNNING",
  "COMPLETED",
  "FAILED",
  "CRASHED",
  "CANCELLED",
  "CANCELLING",
  "PAUSED",
];
const FINAL: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "CRASHED", "CANCELLED"]);

/** The state of a run, which can be asked `is_failed()` and so on. */
class StateView extends ModelValue {
  readonly #state: StateValues;

  constructor(state: StateValues) {
    const { type } = state;
    const questions = TYPES.map(
      (name) => [`is_${name.toLowerCase()}`, () => type === name] as const,
    );
    super("State", {
      fields: { ...viewFieldsOf(state), type: new EnumMember("StateType", type) },
      functions: { ...Object.fromEntries(questions), is_final: () => FINAL.has(type) },
    });
    this.#state = state;
  }

  override text(show: (value: Value) => string): string {
    const { type, name } = this.#state;
    const message = this.#state["message"];
    const parts = typeof message === "string" && message !== "" ? [show(message)] : [];
    if (type.toLowerCase() !== name.toLowerCase()) parts.push(`type=${type}`);
    return `${name}(${parts.join(", ")})`;
  }

  override shown(show: (value: Value) => string): string {
    const { type, name, message } = this.#state;
    const told = typeof message === "string" ? message : null;
    return `${name}(message=${show(told)}, type=${type}, result=None)`;
  }
}

/**
 * The state of a run as an event about it tells it, if it tells all of it: by now it may be in
 * another.
 */
export function stateInEvent(labels: ResourceLabels): Values | null {
  const [type, name, message, timestamp] = STATE_LABELS.map((label) =>
    resourceLabel(labels, label),
  );
  if (type === undefined || name === undefined) return null;
  if (message === undefined || timestamp === undefined) return null;
  return { type, name, message, timestamp };
}

const STATE_LABELS = ["state-type", "state-name", "state-message", "state-timestamp"];
