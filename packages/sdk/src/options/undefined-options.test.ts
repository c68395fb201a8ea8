import { expect, expectTypeOf, test } from "vitest";
import type {
  ArtifactOptions,
  ConcurrencyOptions,
  DeploymentScheduleOptions,
  DeployOptions,
  EventOptions,
  EventWaitOptions,
  FlowOptions,
  InputOptions,
  RunFlowRunOptions,
  ServeOptions,
  SleepOptions,
  StartOptions,
  TaskOptions,
} from "../index.ts";
import { flow, task } from "../index.ts";
import type { FlowTestOptions } from "../testing.ts";

/** Options that TypeScript refuses as undefined where `exactOptionalPropertyTypes` is set. */
type Exact<Options> = {
  [Name in keyof Options]-?: Record<never, never> extends Pick<Options, Name>
    ? undefined extends Required<Options>[Name]
      ? never
      : Name
    : never;
}[keyof Options];

test("every option may be undefined, also where TypeScript is strict about it", () => {
  expectTypeOf<Exact<FlowOptions>>().toBeNever();
  expectTypeOf<Exact<TaskOptions>>().toBeNever();
  expectTypeOf<Exact<ServeOptions>>().toBeNever();
  expectTypeOf<Exact<DeployOptions>>().toBeNever();
  expectTypeOf<Exact<DeploymentScheduleOptions>>().toBeNever();
  expectTypeOf<Exact<InputOptions<unknown>>>().toBeNever();
  expectTypeOf<Exact<EventWaitOptions>>().toBeNever();
  expectTypeOf<Exact<SleepOptions>>().toBeNever();
  expectTypeOf<Exact<StartOptions>>().toBeNever();
  expectTypeOf<Exact<FlowTestOptions>>().toBeNever();
  expectTypeOf<Exact<ConcurrencyOptions>>().toBeNever();
  expectTypeOf<Exact<ArtifactOptions>>().toBeNever();
  expectTypeOf<Exact<EventOptions>>().toBeNever();
  expectTypeOf<Exact<RunFlowRunOptions>>().toBeNever();
  expectTypeOf<Exact<{ readonly strict?: boolean }>>().toEqualTypeOf<"strict">();
});

test("a changed flow or task keeps its name where the name is undefined", () => {
  expect(task({ name: "load" }, () => 1).withOptions({ name: undefined }).name).toBe("load");
  expect(flow({ name: "report" }, () => 1).withOptions({ name: undefined }).name).toBe("report");
});

test("a task takes futures and promises in the place of its arguments without a cast", async () => {
  const double = task({ name: "double" }, (n: number) => n * 2);
  const sum = task({ name: "sum" }, (numbers: readonly number[], more: number) =>
    numbers.reduce((total, n) => total + n, more),
  );
  expect(await double(double.submit(1))).toBe(4);
  expect(await double(double(1))).toBe(4);
  expect(await sum([1, double.submit(1), double(2)], double.submit(4))).toBe(15);
  expect(await sum.submit([double(1)], double(2)).result()).toBe(6);
  expectTypeOf(double).toBeCallableWith(1);
  // @ts-expect-error a text is no number
  expectTypeOf(double).toBeCallableWith("1");
});
