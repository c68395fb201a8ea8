// `flows/report.mjs:report`: a file, and what it exports.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { FlowDefinition } from "../run/flow-run.ts";
import { readTypeScript } from "../typescript/read-typescript.ts";

const TYPESCRIPT = /\.(?:m?ts|tsx)$/;

/** The flow that an entrypoint names; without a name the file must export one flow. */
export async function loadFlow(entrypoint: string, folder: string): Promise<FlowDefinition> {
  const [, file = entrypoint, name] = /^(.+?)(?::(\w+))?$/.exec(entrypoint) ?? [];
  const path = resolve(folder, file);
  if (!existsSync(path)) throw new Error(`There is no file ${path}, which the entrypoint names`);
  return pickFlow(await loadModule(path), { file, name });
}

/** What a file exports, be it JavaScript or TypeScript. */
export async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  if (TYPESCRIPT.test(path)) await understandTypeScript(path);
  return (await import(pathToFileURL(resolve(path)).href)) as Readonly<Record<string, unknown>>;
}

function pickFlow(
  exported: Readonly<Record<string, unknown>>,
  { file, name }: { readonly file: string; readonly name: string | undefined },
): FlowDefinition {
  const flows = Object.entries(exported).flatMap(([key, value]) => {
    const definition = definitionOf(value);
    return definition === null ? [] : [{ key, definition }];
  });
  if (name !== undefined) {
    const found = flows.find(({ key, definition }) => key === name || definition.name === name);
    if (found !== undefined) return found.definition;
  } else if (flows.length === 1 && flows[0] !== undefined) return flows[0].definition;
  const names = flows.map(({ key }) => key).join(", ") || "none";
  throw new Error(
    name === undefined
      ? `${file} exports ${flows.length} flows (${names}): say which, as in ${file}:name`
      : `${file} exports no flow ${name}; its flows: ${names}`,
  );
}

/** Known by what it holds, so that flows of another copy of this package run as well. */
function definitionOf(value: unknown): FlowDefinition | null {
  if (typeof value !== "function" || !("definition" in value)) return null;
  const { definition } = value as { readonly definition: FlowDefinition };
  return typeof definition?.body === "function" ? definition : null;
}

/**
 * By the project's own `tsx` where it has one, which knows the settings of the project; else by
 * what this package brings.
 */
async function understandTypeScript(path: string): Promise<void> {
  const tsx = tsxOf(path);
  if (tsx === null) return readTypeScript();
  const { register } = (await import(pathToFileURL(tsx).href)) as { readonly register: () => void };
  register();
}

function tsxOf(path: string): string | null {
  try {
    return createRequire(path).resolve("tsx/esm/api");
  } catch {
    return null; // the project has none
  }
}
