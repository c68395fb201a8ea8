import { itemOf, memberOf } from "../methods/members.ts";
import type { Value } from "../values/kinds.ts";
import type { Meter } from "../values/meter.ts";
import type { RenderRun, TemplateFilter, TemplateTest } from "../values/run.ts";

export interface Library {
  readonly filters: ReadonlyMap<string, TemplateFilter>;
  readonly tests: ReadonlyMap<string, TemplateTest>;
  readonly nowMicros: () => number;
  readonly random: () => number;
}

/** One rendering of one template. */
export class RenderState implements RenderRun {
  readonly meter: Meter;
  readonly filters: ReadonlyMap<string, TemplateFilter>;
  readonly tests: ReadonlyMap<string, TemplateTest>;
  readonly nowMicros: () => number;
  readonly random: () => number;
  /** The line of what is being done. */
  line = 1;

  constructor(meter: Meter, { filters, tests, nowMicros, random }: Library) {
    this.meter = meter;
    this.filters = filters;
    this.tests = tests;
    this.nowMicros = nowMicros;
    this.random = random;
  }

  memberOf(value: Value, name: string): Value {
    return memberOf(this, value, name);
  }

  itemOf(value: Value, key: Value): Value {
    return itemOf(this, value, key);
  }
}
