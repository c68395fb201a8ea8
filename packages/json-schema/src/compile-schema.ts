import { isMap, type JsonMap } from "@orchestrator/exact-json";
import type { FoundProblem, SchemaCheck, ValidationRun, Violation } from "./check-run.ts";
import { COMBINING_KEYWORDS } from "./combining-keywords.ts";
import { type Keyword, type SchemaNode, type SchemaOptions, wrong } from "./keyword.ts";
import { References } from "./references.ts";
import { LAST_KEYWORDS, SCHEMA_KEYWORDS } from "./schema-keywords.ts";
import { badSchema, SchemaProblem } from "./schema-problem.ts";
import { VALUE_KEYWORDS } from "./value-keywords.ts";
import { type JsonPath, pathText } from "./value-problem.ts";

// JSON Schema 2020-12 as functions that call functions. A compiler that writes program text (ajv)
// was tried first: it takes 5 to 60 ms for the schema of one flow, overflows the stack at some
// thousand properties and has no bound on what one validation may cost. Here a schema of fifty
// parameters is ready in half a millisecond, nothing a user wrote becomes code, and work is paid
// for: each schema a value is given to, each member and item looked at, each name looked for and
// each problem found takes from one allowance. `format` is an annotation, unless who asks wants it
// checked; keywords other than the ones below are ignored.

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ...Object.entries(VALUE_KEYWORDS),
  ...Object.entries(SCHEMA_KEYWORDS),
  ...Object.entries(COMBINING_KEYWORDS),
]);
const AFTER_ALL: ReadonlyMap<string, Keyword> = new Map(Object.entries(LAST_KEYWORDS));

/** What one keyword of a schema object checks. */
interface KeywordCheck {
  readonly keyword: string;
  readonly check: SchemaCheck;
}

const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"] as const;
const MAX_DEPTH = 100;
const MAX_SCHEMAS = 20_000;

/** Throws `SchemaProblem` when the schema cannot be used. */
export function compileSchema(schema: unknown, options: SchemaOptions): SchemaCheck {
  return new Compiler(schema, options).compile();
}

/** A schema object and the ones that judge the same value. */
interface Site {
  readonly place: JsonPath;
  readonly same: Site[];
  check: SchemaCheck | null;
}

class Compiler {
  readonly #root: unknown;
  readonly #options: SchemaOptions;
  readonly #references: References;
  /** Schemas that references point to, compiled once however many point there. */
  readonly #targets = new Map<unknown, Site>();
  readonly #waiting: { readonly schema: unknown; readonly site: Site }[] = [];
  #count = 0;

  constructor(root: unknown, options: SchemaOptions) {
    this.#root = root;
    this.#options = options;
    this.#references = new References(root);
  }

  compile(): SchemaCheck {
    const root = this.#target(this.#root, []);
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      next.site.check = this.#node(next.schema, next.site, 0);
    }
    refuseCircles([...this.#targets.values()]);
    return call(root);
  }

  /** Compiled later, so that a chain of references does not become a chain of calls in here. */
  #target(schema: unknown, place: JsonPath): Site {
    const known = typeof schema === "object" ? this.#targets.get(schema) : undefined;
    if (known !== undefined) return known;
    const site: Site = { place, same: [], check: null };
    this.#targets.set(typeof schema === "object" ? schema : site, site);
    this.#waiting.push({ schema, site });
    return site;
  }

  #node(schema: unknown, site: Site, depth: number): SchemaCheck {
    const { place } = site;
    this.#count += 1;
    if (depth > MAX_DEPTH) throw new SchemaProblem(`is nested more than ${MAX_DEPTH} levels deep`);
    if (this.#count > MAX_SCHEMAS) throw new SchemaProblem(`has more than ${MAX_SCHEMAS} parts`);
    if (schema === true) return accept;
    if (schema === false) return refuse;
    if (!isMap(schema)) throw badSchema(place, "must be an object, true or false");
    const node: SchemaNode = {
      schema,
      place,
      options: this.#options,
      part: (part, ...at) => {
        return this.#node(part, { place: [...place, ...at], same: [], check: null }, depth + 1);
      },
      same: (part, ...at) => {
        const inner: Site = { place: [...place, ...at], same: [], check: null };
        site.same.push(inner);
        return this.#node(part, inner, depth + 1);
      },
    };
    const check = inTurn([...this.#follow(node, site), ...keywordChecks(node, KEYWORDS)], node);
    return place.length > 0 && isBlockSchema(schema) ? orReference(check) : check;
  }

  #follow(node: SchemaNode, site: Site): KeywordCheck[] {
    return REFERENCES.filter((keyword) => Object.hasOwn(node.schema, keyword)).map((keyword) => {
      const reference = node.schema[keyword];
      if (typeof reference !== "string") throw wrong(node, keyword, "must be a text");
      const target = this.#references.find(reference, [...node.place, keyword]);
      if (target instanceof SchemaProblem) return { keyword, check: leadsNowhere(target) };
      const targetSite = this.#target(target.schema, target.place);
      site.same.push(targetSite);
      return { keyword, check: call(targetSite) };
    });
  }
}

const accept: SchemaCheck = (_value, run) => {
  run.spend(1);
  return true;
};
const refuse: SchemaCheck = (given, run) =>
  run.fail("is not allowed", { violation: { keyword: "false", schema: {}, given } });

/** The rest of the schema can be used, so nobody is refused who gives no value for this place. */
function leadsNowhere(problem: SchemaProblem): SchemaCheck {
  return () => {
    throw problem;
  };
}

function call(site: Site): SchemaCheck {
  return (value, run) => (site.check ?? accept)(value, run);
}

/** In the order of the schema, in which their problems are told. */
function keywordChecks(node: SchemaNode, keywords: typeof KEYWORDS): KeywordCheck[] {
  const checks: KeywordCheck[] = [];
  for (const [keyword, value] of Object.entries(node.schema)) {
    const check = keywords.get(keyword)?.(value, node) ?? null;
    if (check !== null) checks.push({ keyword, check });
  }
  return checks;
}

/** All checks of one schema object. What they see is kept only while someone above asks for it. */
function inTurn(checks: readonly KeywordCheck[], node: SchemaNode): SchemaCheck {
  const { schema } = node;
  const last = keywordChecks(node, AFTER_ALL);
  const all = [...checks, ...last];
  return (value, run) => {
    run.enter();
    const above = run.seen;
    const seen =
      above === null && last.length === 0
        ? null
        : { names: new Set<string>(), indexes: new Set<number>() };
    run.seen = seen;
    let fits = true;
    for (const { keyword, check } of all) {
      const { found } = run;
      if (check(value, run)) continue;
      fits = false;
      run.attribute(found, (problem) => violating(problem, { keyword, schema, given: value }));
    }
    run.seen = above;
    if (fits && above !== null && seen !== null) {
      run.spend(seen.names.size + seen.indexes.size);
      for (const name of seen.names) above.names.add(name);
      for (const index of seen.indexes) above.indexes.add(index);
    }
    run.leave();
    return fits;
  };
}

/**
 * What a schema further down has said stays, but for items that are not allowed at all: that is
 * said of the list.
 */
function violating(problem: FoundProblem, violation: Violation): FoundProblem {
  const { keyword, schema } = violation;
  const isOfList = LISTS.has(keyword) && schema[keyword] === false;
  return problem.violation === undefined || isOfList ? { ...problem, violation } : problem;
}

const LISTS: ReadonlySet<string> = new Set(["items", "unevaluatedItems"]);

function isBlockSchema(schema: JsonMap): boolean {
  return typeof schema["block_type_slug"] === "string";
}

const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** Where a block is wanted, a stored one may be named instead: by its id, or by a map of texts. */
function orReference(check: SchemaCheck): SchemaCheck {
  return (value, run) => isBlockReference(value, run) || check(value, run);
}

function isBlockReference(value: unknown, run: ValidationRun): boolean {
  run.spend(1);
  if (!isMap(value) || !Object.hasOwn(value, "$ref")) return false;
  const reference = value["$ref"];
  if (typeof reference === "string") return UUID.test(reference);
  if (!isMap(reference)) return false;
  const texts = Object.values(reference);
  run.spend(texts.length);
  return texts.length > 0 && texts.every((text) => typeof text === "string");
}

/**
 * A schema may refer to itself for a member or an item, because values end. One that refers to
 * itself for the same value never comes to an end.
 */
function refuseCircles(sites: readonly Site[]): void {
  const finished = new Set<Site>();
  const open = new Set<Site>();
  for (const start of sites) {
    const stack: { readonly site: Site; next: number }[] = [];
    const enter = (site: Site): void => {
      if (open.has(site)) {
        const place = pathText("", site.place) || "the schema";
        throw new SchemaProblem(`${place} refers to itself in a circle`, { isCircular: true });
      }
      if (finished.has(site)) return;
      open.add(site);
      stack.push({ site, next: 0 });
    };
    enter(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const following = top.site.same[top.next];
      top.next += 1;
      if (following !== undefined) enter(following);
      else {
        open.delete(top.site);
        finished.add(top.site);
        stack.pop();
      }
    }
  }
}
