import { expect, test } from "vitest";

interface Module {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

const { folderCycles } = (await import(
  new URL("../../scripts/lib/folder-cycles.mjs", import.meta.url).href
)) as {
  readonly folderCycles: (modules: readonly Module[]) => readonly string[];
};

/** Files and what they import, as dependency-cruiser lists them. */
function modulesOf(imports: Readonly<Record<string, readonly string[]>>): Module[] {
  const sources = new Set([...Object.keys(imports), ...Object.values(imports).flat()]);
  return Array.from(sources, (source) => ({
    source,
    dependencies: (imports[source] ?? []).map((resolved) => ({ resolved })),
  }));
}

const CYCLE = {
  "packages/shop/src/orders/place.ts": ["packages/shop/src/mail/deep/send.ts"],
  "packages/shop/src/mail/text.ts": ["packages/shop/src/prices.ts"],
  "packages/shop/src/prices.ts": ["packages/shop/src/orders/lines.ts"],
};

test("names a cycle of folders and files with one import for each step, though no file imports itself", () => {
  expect(folderCycles(modulesOf(CYCLE))).toEqual([
    `  error folder-cycle: packages/shop/src: mail → prices.ts → orders → mail
    packages/shop/src/mail/text.ts imports packages/shop/src/prices.ts
    packages/shop/src/prices.ts imports packages/shop/src/orders/lines.ts
    packages/shop/src/orders/place.ts imports packages/shop/src/mail/deep/send.ts`,
  ]);
});

test("names the shortest cycle of each folder", () => {
  const imports = {
    ...CYCLE,
    "packages/shop/src/mail/address.ts": ["packages/shop/src/orders/buyer.ts"],
    "packages/shop/src/orders/rules/tax.ts": ["packages/shop/src/orders/store/rows.ts"],
    "packages/shop/src/orders/store/sums.ts": ["packages/shop/src/orders/rules/round.ts"],
  };
  expect(folderCycles(modulesOf(imports)).map((cycle) => cycle.split("\n")[0])).toEqual([
    "  error folder-cycle: packages/shop/src: mail → orders → mail",
    "  error folder-cycle: packages/shop/src/orders: rules → store → rules",
  ]);
});

test("names a cycle of packages", () => {
  const imports = {
    "packages/shop/src/index.ts": ["packages/bank/src/index.ts"],
    "packages/bank/src/pay.ts": ["packages/shop/src/prices.ts"],
  };
  expect(folderCycles(modulesOf(imports))).toHaveLength(1);
});

test("accepts folders that import each other in one direction", () => {
  const { "packages/shop/src/prices.ts": _, ...imports } = CYCLE;
  expect(folderCycles(modulesOf(imports))).toEqual([]);
});

test("accepts what tests, folders for tests and libraries import", () => {
  const imports = {
    "packages/shop/src/orders/place.ts": ["packages/shop/src/mail/send.ts"],
    "packages/shop/src/mail/send.test.ts": ["packages/shop/src/orders/place.ts"],
    "packages/shop/src/mail/testing/post.ts": ["packages/shop/src/orders/place.ts"],
    "node_modules/a/b/c.js": ["node_modules/a/d/e.js"],
    "node_modules/a/d/f.js": ["node_modules/a/b/g.js"],
  };
  expect(folderCycles(modulesOf(imports))).toEqual([]);
});
