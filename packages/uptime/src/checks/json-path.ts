/** Found nothing at a path; null is a value. */
export const ABSENT = Symbol("absent");

const STEP = /^(?:\.?([^.[\]]+)|\[(\d{1,9})\]|\["([^"]*)"\]|\['([^']*)'\])/;

/** The steps of `$.items[0].name` or `items[0]["first name"]`; null when it is no path. */
export function parsePath(text: string): readonly string[] | null {
  let rest = text.trim().replace(/^\$/, "");
  const steps: string[] = [];
  while (rest !== "") {
    const [whole, name, index, quoted, other] = STEP.exec(rest) ?? [];
    const step = name ?? index ?? quoted ?? other;
    if (whole === undefined || step === undefined) return null;
    steps.push(step);
    rest = rest.slice(whole.length);
  }
  return steps;
}

/** What stands at a path. The length of lists and texts can be asked for like a member. */
export function valueAt(value: unknown, steps: readonly string[]): unknown {
  let at = value;
  for (const step of steps) {
    const isList = Array.isArray(at) || typeof at === "string";
    if (isList && step === "length") at = (at as { readonly length: number }).length;
    else if (typeof at === "object" && at !== null && Object.hasOwn(at, step))
      at = (at as Readonly<Record<string, unknown>>)[step];
    else return ABSENT;
  }
  return at;
}
