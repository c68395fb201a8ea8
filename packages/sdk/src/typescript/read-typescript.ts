import { register } from "node:module";

let isRead = false;

/** Newer Node versions read TypeScript themselves; older ones learn it here. */
export function readTypeScript(): void {
  if (isRead || (process.features as { readonly typescript?: unknown }).typescript) return;
  isRead = true;
  process.setSourceMapsEnabled(true);
  register(new URL("./hooks.js", import.meta.url));
}
