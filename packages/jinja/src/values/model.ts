import { fromData } from "./from-data.ts";
import { type Arguments, Callable, Dict, ObjectValue, Tuple, type Value } from "./kinds.ts";
import { printValue } from "./printing.ts";

type Fields = Readonly<Record<string, unknown>>;
type Functions = Readonly<Record<string, (args: Arguments) => Value>>;

export interface ModelParts {
  readonly fields: Fields;
  /** What can be asked for, but is not printed. */
  readonly derived?: Fields;
  readonly functions?: Functions;
}

const EMPTY: Fields = {};
const NO_FUNCTIONS: Functions = {};

/** An object with named fields, printed as Python's classes of data are. */
export class ModelValue extends ObjectValue {
  override readonly type: string;
  readonly #fields: Dict;
  readonly #derived: Dict;
  readonly #functions: Functions;

  constructor(type: string, { fields, derived = EMPTY, functions = NO_FUNCTIONS }: ModelParts) {
    super();
    this.type = type;
    this.#fields = Dict.from(fields, fromData);
    this.#derived = Dict.from(derived, fromData);
    this.#functions = functions;
  }

  override attribute(name: string): Value | undefined {
    const field = this.#fields.get(name);
    if (field !== undefined) return field;
    const run = Object.hasOwn(this.#functions, name) ? this.#functions[name] : undefined;
    return run === undefined ? this.#derived.get(name) : new Callable(name, run);
  }

  override items(): readonly Value[] {
    return this.#fields.entries().map((pair) => new Tuple(pair));
  }

  override text(show: (value: Value) => string): string {
    return this.#pairs(show).join(" ");
  }

  override shown(show: (value: Value) => string): string {
    return `${this.type}(${this.#pairs(show).join(", ")})`;
  }

  override data(): Value {
    return this.#fields;
  }

  override isModel(): boolean {
    return true;
  }

  #pairs(show: (value: Value) => string): string[] {
    return this.#fields.entries().map(([name, value]) => `${printValue(name)}=${show(value)}`);
  }
}
