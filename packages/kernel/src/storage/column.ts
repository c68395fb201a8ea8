import type { FieldKind } from "./dialect.ts";

/**
 * - `internal`: not on the wire.
 * - `later`: no insert writes it; the database has a default.
 * - `initial`: a new row has this value by default.
 * - `changeable`: a caller may change it.
 * - `published`: the event of a change has its old and its new value.
 */
export type Trait = "internal" | "later" | "initial" | "changeable" | "published";

declare const valueType: unique symbol;
declare const traitTypes: unique symbol;

interface Settings {
  readonly traits: Iterable<Trait>;
  readonly initial: unknown;
  readonly isNullable: boolean;
  readonly place: number;
}

/** What a column holds, and who sees or changes it. On the wire unless it is internal. */
export class Column<Kind extends FieldKind, Value, Own extends Trait = never> {
  declare readonly [valueType]?: Value;
  declare readonly [traitTypes]?: Own;
  readonly kind: Kind;
  readonly traits: ReadonlySet<Trait>;
  readonly initial: unknown;
  readonly isNullable: boolean;

  /** Where it stands among what the event of a change has. */
  readonly place: number;

  constructor(kind: Kind, { traits = [], ...rest }: Partial<Settings> = {}) {
    this.kind = kind;
    this.traits = new Set(traits);
    this.initial = rest.initial;
    this.isNullable = rest.isNullable ?? false;
    this.place = rest.place ?? Number.POSITIVE_INFINITY;
  }

  orNull(): Column<Kind, Value | null, Own | "initial"> {
    return this.#with("initial", { initial: null, isNullable: true });
  }

  /** What a new row has unless it is given another value. */
  initially(initial: Value): Column<Kind, Value, Own | "initial"> {
    return this.#with("initial", { initial });
  }

  internal(): Column<Kind, Value, Own | "internal"> {
    return this.#with("internal");
  }

  later(): Column<Kind, Value, Own | "later"> {
    return this.#with("later");
  }

  changeable(): Column<Kind, Value, Own | "changeable"> {
    return this.#with("changeable");
  }

  /** Without a place it comes last, so that events keep their order. */
  published(place?: number): Column<Kind, Value, Own | "published"> {
    return this.#with("published", place === undefined ? {} : { place });
  }

  #with<V, T extends Trait>(trait: T, settings: Partial<Settings> = {}): Column<Kind, V, Own | T> {
    const { kind, initial, isNullable, place } = this;
    const traits = [...this.traits, trait];
    return new Column(kind, { initial, isNullable, place, ...settings, traits });
  }
}

/** Makes columns, by their kind. JSON and tags are text in a row. */
export const column = {
  id: () => new Column<"id", string>("id"),
  time: () => new Column<"time", string>("time"),
  text: <Value extends string = string>() => new Column<"text", Value>("text"),
  json: () => new Column<"json", string>("json"),
  tags: () => new Column<"tags", string>("tags"),
  flag: () => new Column<"flag", boolean>("flag"),
  integer: () => new Column<"integer", number>("integer"),
  real: () => new Column<"real", number>("real"),
} as const;
