import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { defineConfig } from "vite";

const PACKAGES = ["kernel", "orchestrator", "uptime"];
const THREAD_MODULE = /(?:^|\/)(?:compute-thread|[\w-]+-jobs)\.ts$/;

/** What threads of the compute pool load, by the name it has in the program. */
function threadModules({ withTests }: { readonly withTests: boolean }): Record<string, string> {
  const files = PACKAGES.flatMap((name) => {
    const folder = join(import.meta.dirname, "..", name, "src");
    return readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file)));
  });
  const wanted = files.filter(
    (file) => THREAD_MODULE.test(file) && (withTests || !file.includes("/testing/")),
  );
  const modules = Object.fromEntries(wanted.map((file) => [basename(file, ".ts"), file]));
  if (Object.keys(modules).length < wanted.length)
    throw new Error(`Modules of threads need names of their own: ${wanted.join(", ")}`);
  return modules;
}

// Beside the server's one file: a thread that loaded all of the server would take as long and as
// much memory as the server.
export default defineConfig(({ mode }) => ({
  ssr: {
    resolve: { conditions: ["source", "module", "node", "production"] },
    noExternal: true,
  },
  build: {
    ssr: true,
    outDir: "dist",
    emptyOutDir: false,
    target: "node20",
    sourcemap: mode !== "test",
    rolldownOptions: {
      input: threadModules({ withTests: mode === "test" }),
      output: { entryFileNames: "[name].js", chunkFileNames: "threads-[name].js" },
    },
  },
}));
