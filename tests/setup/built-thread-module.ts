// Stands in for the kernel's own file of this purpose while tests run from TypeScript.
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

export function threadModule(_importMetaUrl: string, name: string): string {
  const folder = process.env["TEST_THREAD_MODULES"] ?? "";
  return pathToFileURL(join(folder, `${basename(name)}.js`)).href;
}
