import type { JsonPath } from "./value-problem.ts";
import { pathText } from "./value-problem.ts";

/** The schema itself cannot be used. The message is a sentence for its author. */
export class SchemaProblem extends Error {
  override readonly name = "SchemaProblem";
  /** The schema refers to itself without ever looking at a smaller part of the value. */
  readonly isCircular: boolean;

  constructor(message: string, { isCircular = false }: { readonly isCircular?: boolean } = {}) {
    super(message);
    this.isCircular = isCircular;
  }
}

export function badSchema(place: JsonPath, message: string): SchemaProblem {
  const where = pathText("", place);
  return new SchemaProblem(where === "" ? message : `${where}: ${message}`);
}
