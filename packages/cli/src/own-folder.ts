import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of this package, found upwards because the bundle lies deeper than the sources. */
export const OWN_FOLDER = fileURLToPath(folderAbove(new URL(".", import.meta.url)));

function folderAbove(folder: URL): URL {
  if (existsSync(new URL("package.json", folder))) return folder;
  return folderAbove(new URL("../", folder));
}
