import type { TestApi } from "../testing.ts";

/** How many queries are asked from now on. */
export function countQueries({ ctx }: TestApi): () => number {
  const { db } = ctx;
  const original = db.in.bind(db);
  let asked = 0;
  const counted = (workspaceId: string) => {
    const queries = original(workspaceId);
    return new Proxy(queries, {
      get(target, name, receiver) {
        if (name === "all" || name === "get" || name === "select") asked += 1;
        const value: unknown = Reflect.get(target, name, receiver);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  };
  Object.assign(db, { in: counted });
  return () => asked;
}
