// Resources of events as templates see them.

import {
  type Arguments,
  Callable,
  charactersOf,
  Dict,
  DictView,
  fromData,
  isText,
  List,
  ObjectValue,
  orElse,
  TemplateError,
  Tuple,
  type Value,
} from "@orchestrator/jinja";
import {
  type ResourceLabels,
  resourceLabel,
  withoutPrefix,
} from "../../../telemetry/events/labels.rules.ts";

/**
 * Labels to be read as `labels["a.b"]` and as `labels.a.b`; a name may have a value and others
 * below it.
 */
export class LabelTree extends ObjectValue {
  override readonly type = "LabelDiver";
  readonly #labels: Dict;
  readonly #value: string;
  readonly #branches: ReadonlyMap<string, LabelTree>;

  constructor(labels: ResourceLabels | ReadonlyMap<string, string>, value = "") {
    super();
    const pairs = labels instanceof Map ? [...labels] : Object.entries(labels as ResourceLabels);
    this.#labels = Dict.of(pairs);
    this.#value = value;
    this.#branches = branchesOf(pairs);
  }

  override attribute(name: string): Value | undefined {
    return this.#branches.get(name);
  }

  override item(key: Value): Value | undefined {
    return this.#labels.get(key);
  }

  override items(): readonly Value[] {
    return this.#labels.entries().map((pair) => new Tuple(pair));
  }

  override size(): number {
    return this.#labels.size;
  }

  override text(): string {
    return this.#value;
  }

  override shown(show: (value: Value) => string): string {
    const branches = [...this.#branches].map(
      ([name, tree]) => `${show(name)}: ${tree.shown(show)}`,
    );
    return `LabelDiver(divers={${branches.join(", ")}}, value=${show(this.#value)})`;
  }

  override data(): Value {
    return this.#labels;
  }
}

function branchesOf(pairs: readonly (readonly [string, string])[]): Map<string, LabelTree> {
  const below = new Map<string, Map<string, string>>();
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const dot = name.indexOf(".");
    const [head, rest] = dot === -1 ? [name, ""] : [name.slice(0, dot), name.slice(dot + 1)];
    if (rest === "") values.set(head, value);
    else below.set(head, (below.get(head) ?? new Map<string, string>()).set(rest, value));
  }
  const names = new Set([...below.keys(), ...values.keys()]);
  return new Map(
    [...names].map((name) => [name, new LabelTree(below.get(name) ?? new Map(), values.get(name))]),
  );
}

const isSameText = (one: Value | undefined, other: Value): boolean =>
  one !== undefined && isText(one) && isText(other) && charactersOf(one) === charactersOf(other);

export interface ResourceLinks {
  /** The page of the resource, where it has one. */
  readonly page: string | null;
  readonly events: string;
}

/** A resource: its labels, and what they say by shorter names. */
export class ResourceView extends ObjectValue {
  override readonly type: string;
  readonly #source: ResourceLabels;
  readonly #labels: Dict;
  readonly #derived: ReadonlyMap<string, Value>;

  constructor(labels: ResourceLabels, links: ResourceLinks) {
    super();
    const role = resourceLabel(labels, "resource.role");
    this.type = role === undefined ? "Resource" : "RelatedResource";
    this.#source = labels;
    this.#labels = Dict.from(labels, fromData);
    this.#derived = new Map<string, Value>([
      ["id", resourceLabel(labels, "resource.id") ?? ""],
      ["name", resourceLabel(labels, "resource.name") ?? null],
      ...(role === undefined ? [] : [["role", role] as const]),
      ["ui_events_url", links.events],
      ...(links.page === null ? [] : [["ui_url", links.page] as const]),
    ]);
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case "labels":
        return new LabelTree(this.#source);
      case "root":
        return this.#labels;
      case "has_all_labels":
        return new Callable(name, (args) => this.#hasAll(args));
      case "as_label_value_array":
        return new Callable(name, () => this.#pairs());
      case "get":
        return new Callable(name, (args) => this.#get(args));
      case "prefect_object_id":
        return new Callable(name, (args) => this.#idAs(args));
      case "keys":
        return new Callable(name, () => new DictView("keys", this.#labels.keys()));
      case "items":
        return new Callable(name, () => {
          const pairs = this.#labels.entries().map((pair) => new Tuple(pair));
          return new DictView("items", pairs);
        });
      default:
        return this.#derived.get(name);
    }
  }

  override item(key: Value): Value | undefined {
    return isText(key) ? this.#labels.get(charactersOf(key)) : undefined;
  }

  override items(): readonly Value[] {
    return [new Tuple(["root", this.#labels])];
  }

  override has(value: Value): boolean {
    return this.item(value) !== undefined;
  }

  override text(show: (value: Value) => string): string {
    return `root=${show(this.#labels)}`;
  }

  override shown(show: (value: Value) => string): string {
    return `${this.type}(${this.text(show)})`;
  }

  override data(): Value {
    return this.#labels;
  }

  override isModel(): boolean {
    return true;
  }

  #hasAll({ positional: [labels] }: Arguments): boolean {
    if (!(labels instanceof Dict)) return false;
    return labels.entries().every(([label, value]) => isSameText(this.item(label), value));
  }

  #pairs(): List {
    const pairs = this.#labels.entries();
    return new List(
      pairs.map(([label, value]) =>
        Dict.of([
          ["label", label],
          ["value", value],
        ]),
      ),
    );
  }

  /** What of its id is behind the kind that it is of. */
  #idAs({ positional: [given = ""] }: Arguments): string {
    const id = resourceLabel(this.#source, "resource.id") ?? "";
    const kind = isText(given) ? charactersOf(given).replace(/\.$/, "") : "";
    const own = withoutPrefix(id, `${withoutPrefix(kind, "") ?? kind}.`);
    if (own === null) throw new TemplateError(`the resource ${id} is not of the kind '${kind}'`);
    return own;
  }

  #get({ positional: [key = null, fallback = null] }: Arguments): Value {
    return orElse(this.item(key), fallback);
  }
}
