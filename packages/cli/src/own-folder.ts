import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of this package. */
export const OWN_FOLDER = packageFolderOf(import.meta.url);

/** The folder of a module's package, found upwards because bundles lie deeper than sources. */
export function packageFolderOf(module: string): string {
  return fileURLToPath(folderAbove(new URL(".", module)));
}

function folderAbove(folder: URL): URL {
  if (existsSync(new URL("package.json", folder))) return folder;
  return folderAbove(new URL("../", folder));
}
