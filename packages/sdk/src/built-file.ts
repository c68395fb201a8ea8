import { fileURLToPath } from "node:url";

/** A file of this build that others start or load by its path; entries of the bundle lie beside its chunks. */
export const builtUrl = (name: string): URL => new URL(`./${name}.js`, import.meta.url);

export const builtFile = (name: string): string => fileURLToPath(builtUrl(name));
