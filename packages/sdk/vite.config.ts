import { join } from "node:path";
import { defineConfig } from "vite";

/** Everything that others import, start or load by its path. */
const ENTRIES = [
  "execute",
  "index",
  "testing",
  "typescript",
  "typescript/hooks",
  "warm-runner",
  "worker",
];
const sourceOf = (name: string): string => join(import.meta.dirname, "src", `${name}.ts`);

// A flow starts sooner when its process reads a few files instead of the two hundred that they are
// written in.
export default defineConfig({
  ssr: { resolve: { conditions: ["source", "module", "node", "production"] }, noExternal: true },
  build: {
    ssr: true,
    outDir: "dist/bundle",
    target: "node20",
    rolldownOptions: {
      input: Object.fromEntries(ENTRIES.map((name) => [name, sourceOf(name)])),
      external: ["@swc/wasm-typescript"],
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
