import { defineConfig } from "vite";

/** The server that a page under work talks to. */
const target = process.env["API"] ?? "http://127.0.0.1:4200";

/** What the server would write into the page, as AUTH_MODE says it. */
const authMode = process.env["AUTH_MODE"] ?? "open";

export default defineConfig({
  plugins: [
    {
      name: "auth-mode",
      apply: "serve",
      transformIndexHtml: (html) =>
        html.replace('name="auth-mode" content="open"', `name="auth-mode" content="${authMode}"`),
    },
  ],
  // Other packages are taken as they are written, so the page needs no other build before its own.
  resolve: { conditions: ["source", "module", "browser", "development|production"] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // Small files travel with the page; fonts and pictures are ours alone.
    assetsInlineLimit: 2048,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    port: 4201,
    proxy: {
      "/api": { target, ws: true },
      "/uptime": { target, ws: true },
    },
  },
});
