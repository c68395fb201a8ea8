import { defineConfig } from "vite";

/** No script alone, or one that looks for files beside itself. */
const OUTSIDE = ["@fastify/swagger-ui", "@node-rs/argon2", "@photostructure/sqlite", "pino"];

// The server starts twice as fast from one file as from the two thousand that it and its libraries
// are written in.
export default defineConfig({
  ssr: {
    resolve: { conditions: ["source", "module", "node", "production"] },
    noExternal: true,
    external: OUTSIDE,
  },
  build: {
    ssr: "src/index.ts",
    outDir: "dist",
    // What the compiler writes is there, too.
    emptyOutDir: false,
    target: "node20",
    sourcemap: true,
    rolldownOptions: { output: { entryFileNames: "server.js" } },
  },
});
