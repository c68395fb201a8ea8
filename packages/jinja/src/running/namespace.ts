import { ObjectValue, type Value } from "../values/kinds.ts";

/** The one thing that templates may change, so that loops can hand values on. */
export class Namespace extends ObjectValue {
  override readonly type = "Namespace";
  readonly #values: Map<string, Value>;

  constructor(values: ReadonlyMap<string, Value>) {
    super();
    this.#values = new Map(values);
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  override attribute(name: string): Value | undefined {
    return this.#values.get(name);
  }

  override parts(): readonly Value[] {
    return [...this.#values.values()];
  }

  override shown(show: (value: Value) => string): string {
    const pairs = [...this.#values].map(([name, value]) => `${show(name)}: ${show(value)}`);
    return `<Namespace {${pairs.join(", ")}}>`;
  }
}
