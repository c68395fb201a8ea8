// YAML is read with whole numbers as bigints, so that every digit of a long one is kept; those that
// a number keeps are numbers. What is written as a float stays one, and is written as one again.

import { floatOf, isFloat, losesFraction, writeJson } from "@orchestrator/exact-json";
import type { ScalarTag, Tags } from "yaml";

const float: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  test: /^[-+]?\d+(?:\.\d*(?:[eE][-+]?\d+)?|[eE][-+]?\d+)$/,
  resolve: (text) => {
    const number = Number(text);
    return losesFraction(number) ? floatOf(number) : number;
  },
  identify: isFloat,
  stringify: ({ value }) => writeJson(value),
};

export const YAML_NUMBERS = {
  intAsBigInt: true,
  customTags: (tags: Tags): Tags => [float, ...tags],
} as const;

export function ordinaryIntegers(_name: unknown, value: unknown): unknown {
  const isOrdinary = typeof value === "bigint" && Number.isSafeInteger(Number(value));
  return isOrdinary ? Number(value) : value;
}
