import { readFileSync } from "node:fs";
import { join } from "node:path";
import { OWN_FOLDER } from "./own-folder.ts";

/** The version of this command. */
export function ownVersion(): string {
  const manifest = readFileSync(join(OWN_FOLDER, "package.json"), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
