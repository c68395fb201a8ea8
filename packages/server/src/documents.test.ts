import { documentValidator, serverValidator } from "@orchestrator/kernel/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { validBody } from "./testing/bodies.ts";
import { type DescribedApi, describedApis } from "./testing/described-apis.ts";
import type { DocumentedSchema } from "./testing/documented-operations.ts";
import { fieldsIn } from "./testing/fields.ts";
import { wordFor } from "./testing/words.ts";

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: DocumentedSchema }>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, DocumentedSchema>> };
}

const documentOf = ({ document }: DescribedApi): Document => document as unknown as Document;

const operationsOf = (api: DescribedApi): (readonly [string, Operation])[] =>
  Object.entries(documentOf(api).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );

function resolver({ components }: Document): (schema: DocumentedSchema) => DocumentedSchema {
  return function resolve(schema) {
    if (schema.$ref === undefined) return schema;
    const found = components.schemas[schema.$ref.replace("#/components/schemas/", "")];
    if (found === undefined) throw new Error(`The document has no ${schema.$ref}`);
    return resolve(found);
  };
}

/** What its shape alone does not say of a value, by the last name of its place. */
const FITTING: Readonly<Record<string, unknown>> = {
  expected_status: [200],
  path: "/health",
  token: "a-token-of-twenty-two-characters",
};

function chosen(names: readonly string[], schema: DocumentedSchema): unknown {
  const { type, format, enum: words, properties = {} } = schema;
  const last = names.at(-1) ?? "";
  if (last === "key" && "parameter" in properties) return { parameter: "region" };
  const isText = [type].flat().includes("string") && words === undefined;
  if (isText && format === "uuid") return "0193e3a5-0000-7000-8000-000000000001";
  if (last in FITTING && isText === (typeof FITTING[last] === "string")) return FITTING[last];
  const word = isText ? wordFor(names) : undefined;
  return typeof word === "string" ? word : undefined;
}

/** Every object in the document that has a member of the name. */
function* havingMember(name: string, value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, name)) yield value as Readonly<Record<string, unknown>>;
  for (const member of Object.values(value)) yield* havingMember(name, member);
}

describe.each(["orchestrator", "prefect"])("the documents of a server in dialect %s", (dialect) => {
  let apis: readonly DescribedApi[] = [];
  beforeAll(async () => {
    apis = await describedApis(dialect);
  });

  test("are those of all its APIs", () => {
    expect(apis.map(({ title }) => title)).toEqual([
      "Accounts API",
      "Orchestration API",
      "Uptime API",
    ]);
  });

  test("say of every field of every body whether the server takes null there", () => {
    const wrong: string[] = [];
    const unfit = new Set<string>();
    const outermost = new Set<DocumentedSchema>();
    const nested = new Set<DocumentedSchema>();
    let compared = 0;
    for (const api of apis) {
      const maker = { resolve: resolver(documentOf(api)), choose: chosen };
      const judgeOf = documentValidator(api.document);
      for (const [name, { requestBody }] of operationsOf(api)) {
        const shape = requestBody?.content["application/json"]?.schema;
        if (shape === undefined) continue;
        const takes = serverValidator(api.bodySchema(name));
        const documented = judgeOf(shape);
        for (const field of fieldsIn(maker, shape)) {
          const known = field.names.length === 1 ? outermost : nested;
          if (known.has(field.schema)) continue;
          known.add(field.schema);
          const place = `${name} ${field.names.join(".")}`;
          const valid = field.bodyWith(validBody(maker, field.schema, field.names));
          // Where already the rest of the body is refused, null tells nothing.
          if (!takes(valid) || !documented(valid)) unfit.add(place);
          else if (takes(field.bodyWith(null)) === documented(field.bodyWith(null))) compared += 1;
          else wrong.push(place);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect([...unfit]).toEqual([]);
    expect(compared).toBeGreaterThan(1500);
  });

  test("lead from every tag of a union to the record that has it", () => {
    const mapped: Record<string, number> = {};
    for (const api of apis) {
      const resolve = resolver(documentOf(api));
      for (const { discriminator, oneOf } of havingMember("discriminator", api.document)) {
        const { propertyName, mapping } = discriminator as Discriminator;
        for (const [tag, $ref] of Object.entries(mapping))
          expect(resolve({ $ref }).properties?.[propertyName]?.const).toBe(tag);
        const records = (oneOf as readonly DocumentedSchema[]).map(({ $ref }) => $ref);
        expect(new Set(Object.values(mapping))).toEqual(new Set(records));
        mapped[api.title] = (mapped[api.title] ?? 0) + records.length;
      }
    }
    expect(mapped["Orchestration API"]).toBeGreaterThan(30);
    expect(mapped["Uptime API"]).toBeGreaterThan(5);
  });

  test("say which answers and bodies are something else than JSON", () => {
    const others = apis.flatMap((api) =>
      operationsOf(api).flatMap(([, { operationId, requestBody, responses }]) => [
        ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
          otherThanJson(content).map((type) => `${operationId} answers ${status} as ${type}`),
        ),
        ...otherThanJson(requestBody?.content ?? {}).map((type) => `${operationId} takes ${type}`),
      ]),
    );
    expect(others).toEqual([
      "exportAudit answers 200 as text/csv",
      "recordWorkerHeartbeat answers 200 as text/plain",
      "readFlowRunInput answers 200 as text/plain",
      "downloadFlowRunLogs answers 200 as text/csv",
      "readFlowRunJournal answers 200 as application/x-ndjson",
      "validateTemplate takes text/plain",
      "validateAutomationTemplate takes text/plain",
      "exportDocument answers 200 as application/yaml",
      "readSlaTable answers 200 as text/csv",
    ]);
  });
});

interface Discriminator {
  readonly propertyName: string;
  readonly mapping: Readonly<Record<string, string>>;
}

const otherThanJson = (content: Content): string[] =>
  Object.keys(content).filter((type) => type !== "application/json");
