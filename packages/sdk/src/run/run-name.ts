/** A text with `{name}` in it, or a function that makes one. */
export type RunName<Args extends readonly unknown[]> = string | ((...args: Args) => string);

/** The name of a run. `{name}` stands for that parameter, `{0}` for the first argument. */
export function nameOfRun<Args extends readonly unknown[]>(
  template: RunName<Args>,
  args: Args,
): string {
  if (typeof template === "function") return template(...args);
  const [first] = args;
  const named: Readonly<Record<string, unknown>> =
    typeof first === "object" && first !== null ? (first as Record<string, unknown>) : {};
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = /^\d+$/.test(name) ? args[Number(name)] : named[name];
    if (value === undefined) return whole;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
