import { extname } from "node:path";

/**
 * The address of a module that threads load, next to the file that asks for it: compiled, or a part
 * of the bundle. Its name is unique in the program, because the bundle has all of them in one
 * folder.
 */
export function threadModule(importMetaUrl: string, name: string): string {
  return new URL(`./${name}${extname(importMetaUrl)}`, importMetaUrl).href;
}
