import type { Value } from "../values/kinds.ts";
import { type Numeric, plainNumber } from "../values/numbers.ts";
import type { RenderRun } from "../values/run.ts";
import { type FoundMember, findMethod, type Methods } from "./method.ts";

const WHOLE: Methods<bigint> = {
  bit_length: (value, _args, run) => (value === 0n ? 0n : BigInt(bits(value, run).length)),
  bit_count: (value, _args, run) => BigInt(bits(value, run).replaceAll("0", "").length),
  conjugate: (value) => value,
  is_integer: () => true,
};

const FLOAT: Methods<number> = {
  is_integer: (value) => Number.isInteger(value),
  conjugate: (value) => value,
};

function bits(value: bigint, { meter }: RenderRun): string {
  const text = (value < 0n ? -value : value).toString(2);
  meter.spend(text.length / 16);
  return text;
}

export function numberMember(value: Numeric, name: string): FoundMember | undefined {
  const number = plainNumber(value);
  const part = partOf(number, name);
  if (part !== undefined) return { kind: "value", value: part };
  return typeof number === "bigint"
    ? findMethod(WHOLE, number, name)
    : findMethod(FLOAT, number, name);
}

function partOf(number: bigint | number, name: string): Value | undefined {
  if (name === "real") return number;
  if (name === "imag") return typeof number === "bigint" ? 0n : 0;
  if (typeof number !== "bigint") return undefined;
  if (name === "numerator") return number;
  return name === "denominator" ? 1n : undefined;
}
