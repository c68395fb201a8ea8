import { isMap } from "@orchestrator/exact-json";
import { badSchema, type SchemaProblem } from "./schema-problem.ts";
import type { JsonPath } from "./value-problem.ts";

export interface ReferenceTarget {
  readonly schema: unknown;
  readonly place: JsonPath;
}

/** Finds what references of one schema document point to. Other documents are never fetched. */
export class References {
  readonly #root: unknown;
  #anchors: ReadonlyMap<string, ReferenceTarget> | undefined;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** A problem where it leads nowhere. */
  find(reference: string, from: JsonPath): ReferenceTarget | SchemaProblem {
    const fragment = this.#fragmentOf(reference);
    if (fragment === null) {
      return badSchema(
        from,
        `${JSON.stringify(reference)} is in another document, which is not read`,
      );
    }
    const target = fragment.startsWith("/") ? this.#follow(fragment) : this.#named(fragment);
    if (target === undefined)
      return badSchema(from, `there is nothing at ${JSON.stringify(reference)}`);
    return target;
  }

  /** What follows the `#` of a reference into this document. */
  #fragmentOf(reference: string): string | null {
    const hash = reference.indexOf("#");
    const document = hash === -1 ? reference : reference.slice(0, hash);
    const fragment = hash === -1 ? "" : reference.slice(hash + 1);
    if (document === "") return fragment;
    const id = isMap(this.#root) ? this.#root["$id"] : undefined;
    return typeof id === "string" && id.replace(/#$/, "") === document ? fragment : null;
  }

  #follow(pointer: string): ReferenceTarget | undefined {
    let schema = this.#root;
    const place: (string | number)[] = [];
    for (const part of pointer.slice(1).split("/")) {
      const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
      if (Array.isArray(schema) && /^\d+$/.test(name)) {
        schema = schema[Number(name)];
        place.push(Number(name));
      } else if (isMap(schema) && Object.hasOwn(schema, name)) {
        schema = schema[name];
        place.push(name);
      } else return undefined;
    }
    return { schema, place };
  }

  #named(name: string): ReferenceTarget | undefined {
    if (name === "") return { schema: this.#root, place: [] };
    this.#anchors ??= findAnchors(this.#root);
    return this.#anchors.get(name);
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function findAnchors(root: unknown): ReadonlyMap<string, ReferenceTarget> {
  const anchors = new Map<string, ReferenceTarget>();
  const waiting: ReferenceTarget[] = [{ schema: root, place: [] }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { schema, place } = at;
    if (Array.isArray(schema)) {
      for (const [index, part] of schema.entries()) {
        waiting.push({ schema: part, place: [...place, index] });
      }
    } else if (isMap(schema)) {
      for (const keyword of ["$anchor", "$dynamicAnchor"]) {
        const name = schema[keyword];
        if (typeof name === "string") anchors.set(name, at);
      }
      for (const [name, part] of Object.entries(schema)) {
        waiting.push({ schema: part, place: [...place, name] });
      }
    }
  }
  return anchors;
}
