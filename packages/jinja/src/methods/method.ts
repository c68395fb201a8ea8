import type { Arguments, Value } from "../values/kinds.ts";
import type { RenderRun } from "../values/run.ts";

export type Method<Self> = (self: Self, args: Arguments, run: RenderRun) => Value;
export type Methods<Self> = Readonly<Record<string, Method<Self>>>;

/** What stands behind a dot: something to call, or a value. */
export type FoundMember =
  | { readonly kind: "method"; readonly call: (args: Arguments, run: RenderRun) => Value }
  | { readonly kind: "value"; readonly value: Value };

export function findMethod<Self>(
  methods: Methods<Self>,
  self: Self,
  name: string,
): FoundMember | undefined {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method === undefined) return undefined;
  return { kind: "method", call: (args, run) => method(self, args, run) };
}
