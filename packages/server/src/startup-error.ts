/** Why the server does not start: one sentence on what is wrong and what to do. */
export class StartupError extends Error {
  override readonly name = "StartupError";
}

export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
