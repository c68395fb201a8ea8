import { type DialectAdapter, DummyDriver, Kysely, type QueryCompiler } from "kysely";

interface Engine {
  readonly Adapter: new () => DialectAdapter;
  readonly QueryCompiler: new () => QueryCompiler;
}

/** Builds and compiles statements of an engine without a connection to one. */
export function statementBuilder({ Adapter, QueryCompiler }: Engine): Kysely<unknown> {
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new Error("The builder does not introspect");
      },
      createQueryCompiler: () => new QueryCompiler(),
    },
  });
}
