/** Names that belong to the system, in any case. */
export function isReservedPoolName(name: string): boolean {
  return name.toLowerCase().startsWith("prefect");
}

/** What may be changed of a pool of the system: whether and how much it works. */
const CHANGEABLE_OF_RESERVED: ReadonlySet<string> = new Set(["is_paused", "concurrency_limit"]);

export function mayChange(name: string, fields: readonly string[]): boolean {
  return !isReservedPoolName(name) || fields.every((field) => CHANGEABLE_OF_RESERVED.has(field));
}
