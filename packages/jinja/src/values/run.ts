import type { Arguments, Value } from "./kinds.ts";
import type { Meter } from "./meter.ts";

export type TemplateFilter = (run: RenderRun, value: Value, args: Arguments) => Value;
export type TemplateTest = (run: RenderRun, value: Value, args: Arguments) => boolean;

/** What filters, tests and methods may use while a template is rendered. */
export interface RenderRun {
  readonly meter: Meter;
  readonly filters: ReadonlyMap<string, TemplateFilter>;
  readonly tests: ReadonlyMap<string, TemplateTest>;
  /** The time, in microseconds. */
  readonly nowMicros: () => number;
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** `value.name` */
  readonly memberOf: (value: Value, name: string) => Value;
  /** `value[key]` */
  readonly itemOf: (value: Value, key: Value) => Value;
}
