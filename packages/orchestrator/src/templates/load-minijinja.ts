import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compileFunction } from "node:vm";
import type { Environment } from "minijinja-js";

// The package starts one WebAssembly instance when it is imported, for good and with up to 4 GB of
// memory: `{{ "x" * 3000000000 }}` would take them, and after a crash within the instance every later
// template would fail. So its two files are loaded here: the memory gets a limit, and the instance can be
// replaced.

/** Known to Node, not to the type library for servers. */
declare const WebAssembly: {
  readonly compile: (bytes: Uint8Array) => Promise<object>;
  readonly Instance: unknown;
};

export type CreateEnvironment = () => Environment;

const MAX_MEMORY_PAGES = 1024;
const MEMORY_SECTION = 5;

let loaded: Promise<CreateEnvironment> | undefined;

/** Loads the engine at the first call; nothing is read before. Each environment is an instance of its own. */
export function loadMinijinja(): Promise<CreateEnvironment> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<CreateEnvironment> {
  const require = createRequire(import.meta.url);
  const scriptPath = require.resolve("minijinja-js");
  const [script, bytes] = await Promise.all([
    readFile(scriptPath, "utf8"),
    readFile(join(dirname(scriptPath), "minijinja_js_bg.wasm")),
  ]);
  const module = await WebAssembly.compile(limitMemory(bytes, MAX_MEMORY_PAGES));
  const run = compileFunction(
    script,
    ["module", "require", "WebAssembly", "console", "__dirname"],
    {
      filename: scriptPath,
    },
  ) as (...parts: unknown[]) => void;
  const engine = {
    // The module is compiled already; `new` hands out what the function returns.
    Module: function Module() {
      return module;
    },
    Instance: WebAssembly.Instance,
  };
  const requirePart = (name: string): unknown =>
    name === "fs" ? { readFileSync: () => null } : require(name);
  // A crash is told by its error; the engine would also write to the console.
  const silent = { error: () => undefined };
  return () => {
    const instance = { exports: {} as { readonly Environment: new () => Environment } };
    run(instance, requirePart, engine, silent, dirname(scriptPath));
    return new instance.exports.Environment();
  };
}

/** Writes a maximum into the declaration of the module's memory. */
function limitMemory(bytes: Uint8Array, maxPages: number): Uint8Array {
  let at = 8;
  while (at < bytes.length) {
    const id = bytes[at];
    const size = readNumber(bytes, at + 1);
    const end = size.end + size.value;
    if (id === MEMORY_SECTION) {
      // One memory, no maximum yet (flag 0), its first size.
      const first = readNumber(bytes, size.end + 2);
      if (bytes[size.end] !== 1 || bytes[size.end + 1] !== 0 || first.end !== end) break;
      const content = [1, 1, ...writeNumber(first.value), ...writeNumber(maxPages)];
      const section = [MEMORY_SECTION, ...writeNumber(content.length), ...content];
      return new Uint8Array([...bytes.subarray(0, at), ...section, ...bytes.subarray(end)]);
    }
    at = end;
  }
  throw new Error("The template engine declares its memory in an unknown way");
}

function readNumber(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly end: number } {
  let value = 0;
  let shift = 0;
  let end = at;
  for (;;) {
    const byte = bytes[end] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
    end += 1;
    if (byte < 0x80) return { value, end };
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(value >>> 7)];
}
