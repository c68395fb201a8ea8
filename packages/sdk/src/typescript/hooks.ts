// How files written in TypeScript are read: their types are taken out while they are loaded. Node
// runs this in a thread of its own. Nothing is checked here; that is for an editor or a compiler.

import { readFile } from "node:fs/promises";
import type { LoadHook, ResolveHook } from "node:module";
import { fileURLToPath } from "node:url";
import { withoutTypes } from "./without-types.ts";

const TYPESCRIPT = /\.m?ts$/;
/** What compilers ask people to write, and what there is before anything is compiled. */
const WRITTEN_FOR: readonly (readonly [RegExp, string])[] = [
  [/\.js$/, ".ts"],
  [/\.mjs$/, ".mts"],
];
/** For those who leave out how names end, as bundlers let them. */
const ENDINGS = [".ts", ".mts", "/index.ts"];
const NOT_FOUND: ReadonlySet<string | undefined> = new Set([
  "ERR_MODULE_NOT_FOUND",
  "ERR_UNSUPPORTED_DIR_IMPORT",
]);

const pathOf = (url: string): string => url.replace(/[?#].*$/, "");

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  try {
    return await nextResolve(specifier, context);
  } catch (error) {
    const isOurs = TYPESCRIPT.test(pathOf(context.parentURL ?? "")) && /^\.{1,2}\//.test(specifier);
    if (!isOurs || !NOT_FOUND.has((error as NodeJS.ErrnoException).code)) throw error;
    const tried = meantBy(specifier).map(async (other) => nextResolve(other, context));
    return await Promise.any(tried).catch(() => {
      throw error;
    });
  }
};

function meantBy(specifier: string): string[] {
  for (const [written, ending] of WRITTEN_FOR) {
    if (written.test(specifier)) return [specifier.replace(written, ending)];
  }
  return ENDINGS.map((ending) => specifier.replace(/\/$/, "") + ending);
}

/** All of them are modules, whatever the nearest package.json says. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const path = pathOf(url);
  if (!path.startsWith("file:") || !TYPESCRIPT.test(path)) return nextLoad(url, context);
  const file = fileURLToPath(path);
  const source = withoutTypes(await readFile(file, "utf8"), file);
  return { format: "module", shortCircuit: true, source };
};
