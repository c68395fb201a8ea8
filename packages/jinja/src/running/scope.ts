import { Undefined, type Value } from "../values/kinds.ts";

/** Where names that no scope of the template knows are looked for. */
export type OuterNames = (name: string) => Value | undefined;

export class TemplateScope {
  readonly #parent: TemplateScope | OuterNames;
  #values: Map<string, Value> | null = null;

  constructor(parent: TemplateScope | OuterNames) {
    this.#parent = parent;
  }

  set(name: string, value: Value): void {
    this.#values ??= new Map();
    this.#values.set(name, value);
  }

  get(name: string): Value {
    const found = this.find(name);
    return found === undefined ? new Undefined(`'${name}'`) : found;
  }

  find(name: string): Value | undefined {
    const own = this.#values?.get(name);
    if (own !== undefined) return own;
    const parent = this.#parent;
    return parent instanceof TemplateScope ? parent.find(name) : parent(name);
  }
}
