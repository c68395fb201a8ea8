import { fileURLToPath } from "node:url";

/** An entry of this build that is started or loaded by path; it lies beside the chunks. */
export const builtUrl = (name: string): URL => new URL(`./${name}.js`, import.meta.url);

export const builtFile = (name: string): string => fileURLToPath(builtUrl(name));
