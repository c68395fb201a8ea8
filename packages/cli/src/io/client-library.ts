import type * as ClientLibrary from "@orchestrator/client/node";

let library: typeof ClientLibrary | undefined;

/** Before a command is carried out, and not before: help needs no client and comes at once. */
export async function loadClient(): Promise<void> {
  library ??= await import("@orchestrator/client/node");
}

/** For what is done when a command is carried out. */
export function clientLibrary(): typeof ClientLibrary {
  if (library === undefined) throw new Error("The client was not loaded");
  return library;
}
