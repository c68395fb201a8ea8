import { storableText } from "../report/storable-text.ts";

/** A text with `{name}` in it, or a function that makes one. */
export type RunName<Args extends readonly unknown[]> = string | ((...args: Args) => string);

/** The name of a run. `{name}` stands for that parameter, `{0}` for the first argument. */
export function nameOfRun<Args extends readonly unknown[]>(
  template: RunName<Args>,
  args: Args,
): string {
  const name: unknown = typeof template === "function" ? template(...args) : filled(template, args);
  if (typeof name !== "string") throw new TypeError("The name that runName makes is no text");
  // Names are made of longer texts, which may be cut within a character.
  return storableText(name);
}

function filled(template: string, args: readonly unknown[]): string {
  const [first] = args;
  const named: Readonly<Record<string, unknown>> =
    typeof first === "object" && first !== null ? (first as Record<string, unknown>) : {};
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = /^\d+$/.test(name) ? args[Number(name)] : named[name];
    if (value === undefined) return whole;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
