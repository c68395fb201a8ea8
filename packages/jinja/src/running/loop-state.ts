import { TemplateError } from "../template-error.ts";
import { isEqual } from "../values/comparing.ts";
import {
  type Arguments,
  Callable,
  ObjectValue,
  orElse,
  Undefined,
  type Value,
} from "../values/kinds.ts";

/** `loop` within a loop. */
export class LoopState extends ObjectValue {
  override readonly type = "LoopContext";
  readonly #items: readonly Value[];
  readonly #depth: number;
  readonly #recurse: ((over: Value) => Value) | null;
  #index = 0;
  #changed: readonly Value[] | null = null;

  constructor(items: readonly Value[], depth: number, recurse: ((over: Value) => Value) | null) {
    super();
    this.#items = items;
    this.#depth = depth;
    this.#recurse = recurse;
  }

  moveTo(index: number): void {
    this.#index = index;
  }

  override attribute(name: string): Value | undefined {
    const [index, { length }] = [this.#index, this.#items];
    switch (name) {
      case "index":
        return BigInt(index + 1);
      case "index0":
        return BigInt(index);
      case "revindex":
        return BigInt(length - index);
      case "revindex0":
        return BigInt(length - index - 1);
      case "first":
        return index === 0;
      case "last":
        return index === length - 1;
      case "length":
        return BigInt(length);
      case "depth":
        return BigInt(this.#depth);
      case "depth0":
        return BigInt(this.#depth - 1);
      case "previtem":
        return orElse(this.#items[index - 1], new Undefined("what is before the first item"));
      case "nextitem":
        return orElse(this.#items[index + 1], new Undefined("what is behind the last item"));
      case "cycle":
        return new Callable(name, (args) => this.#cycle(args));
      case "changed":
        return new Callable(name, ({ positional }) => this.#hasChanged(positional));
      default:
        return undefined;
    }
  }

  override call({ positional: [over = null] }: Arguments): Value {
    if (this.#recurse === null)
      throw new TemplateError("loop can be called only where the loop is recursive");
    return this.#recurse(over);
  }

  override shown(): string {
    return `<LoopContext ${this.#index + 1}/${this.#items.length}>`;
  }

  #cycle({ positional }: Arguments): Value {
    if (positional.length === 0) throw new TemplateError("there is nothing to cycle through");
    return positional[this.#index % positional.length] ?? null;
  }

  #hasChanged(values: readonly Value[]): boolean {
    const last = this.#changed;
    this.#changed = values;
    return (
      last === null ||
      last.length !== values.length ||
      !last.every((value, place) => isEqual(value, values[place] ?? null))
    );
  }
}
