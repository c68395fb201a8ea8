import type { Arguments, Value } from "./kinds.ts";
import type { Meter } from "./meter.ts";

export type Filter = (run: Run, value: Value, args: Arguments) => Value;
export type Test = (run: Run, value: Value, args: Arguments) => boolean;

/** What filters, tests and methods may use while a template is rendered. */
export interface Run {
  readonly meter: Meter;
  readonly filters: ReadonlyMap<string, Filter>;
  readonly tests: ReadonlyMap<string, Test>;
  /** The time, in microseconds. */
  readonly nowMicros: () => number;
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** `value.name` */
  readonly memberOf: (value: Value, name: string) => Value;
  /** `value[key]` */
  readonly itemOf: (value: Value, key: Value) => Value;
}
