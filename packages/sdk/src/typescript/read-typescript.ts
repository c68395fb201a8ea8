import { register } from "node:module";
import { builtUrl } from "../built-file.ts";

let isRead = false;

/** Newer Node versions read TypeScript themselves; older ones learn it here. */
export function readTypeScript(): void {
  if (isRead || (process.features as { readonly typescript?: unknown }).typescript) return;
  isRead = true;
  process.setSourceMapsEnabled(true);
  register(builtUrl("typescript/hooks"));
}
