import { TemplateError } from "../template-error.ts";
import { type Arguments, charactersOf, isText, type Value } from "./kinds.ts";
import { isNumeric, plainNumber, wholeIn } from "./numbers.ts";
import type { RenderRun, TemplateFilter } from "./run.ts";
import { typeName } from "./type-names.ts";

export type BoundArguments = readonly (Value | undefined)[];

/** A filter whose parameters are named in order; those with a question mark may be left out. */
export function filter(
  parameters: string,
  work: (run: RenderRun, value: Value, given: BoundArguments) => Value,
): TemplateFilter {
  const names = parameters.split(" ").filter((name) => name !== "");
  return (run, value, args) => work(run, value, bindArguments(args, names));
}

/** The arguments in the order of the parameters. */
export function bindArguments(args: Arguments, names: readonly string[]): BoundArguments {
  if (args.positional.length > names.length)
    throw new TemplateError(
      `takes ${names.length} arguments at most, ${args.positional.length} were given`,
    );
  const bare = names.map((name) => name.replace("?", ""));
  for (const name of args.named.keys()) {
    const place = bare.indexOf(name);
    if (place === -1) throw new TemplateError(`takes no argument named '${name}'`);
    if (place < args.positional.length) throw new TemplateError(`got '${name}' twice`);
  }
  return names.map((name, place) => {
    const given = args.positional[place] ?? args.named.get(bare[place] ?? "");
    const found = place < args.positional.length ? args.positional[place] : given;
    if (found === undefined && !name.endsWith("?"))
      throw new TemplateError(`misses the argument '${name}'`);
    return found;
  });
}

/** Whole numbers that are safe to count with. */
export function wholeArgument(value: Value | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  const whole = wholeIn(value);
  if (whole === null) throw new TemplateError(`takes a whole number, not a ${typeName(value)}`);
  const number = Number(whole);
  return Math.max(Math.min(number, Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
}

export function textArgument(value: Value | undefined, fallback: string): string {
  if (value === undefined) return fallback;
  if (isText(value)) return charactersOf(value);
  throw new TemplateError(`takes a text, not a ${typeName(value)}`);
}

export function numberArgument(value: Value | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (isNumeric(value)) return Number(plainNumber(value));
  throw new TemplateError(`takes a number, not a ${typeName(value)}`);
}
