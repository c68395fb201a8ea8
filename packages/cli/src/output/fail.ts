import { explainPatterns } from "@orchestrator/client/refusals";
import { clean } from "./clean.ts";

/** Refusals that were to be expected: what they say is enough, and a stack would only hide it. */
const EXPECTED = new Set([
  "StartupError",
  "SettingsError",
  "KeyringError",
  "ProfilesError",
  "UsageError",
  "MisuseError",
  "ApiError",
  "ConnectionError",
  "TimeoutError",
  // Of flows that are run here.
  "NoServerError",
  "CancelledError",
  "FlowRunFailedError",
  "ResultNotStoredError",
  "RunStoppedError",
  "PauseTimeoutError",
  "RunTimeoutError",
  "TerminatedError",
]);

/** What was asked for cannot be done as it was asked; the message says what to do instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command line contradicts itself or lacks something, whatever the server holds. */
export class MisuseError extends Error {
  override readonly name = "MisuseError";
}

const FAILED = 1;
const NOT_UNDERSTOOD = 2;

/** Says what went wrong and what to do next, and leaves the exit code behind. */
export function fail(error: unknown): void {
  process.exitCode = error instanceof MisuseError ? NOT_UNDERSTOOD : FAILED;
  process.stderr.write(`orchestrator: ${clean(textOf(error), process.stderr)}\n`);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!EXPECTED.has(error.name)) return error.stack ?? error.message;
  if (error.name === "ApiError") return apiText(error as Partial<ApiRefusal> & Error);
  const isAway = error.name === "ConnectionError" && (error as { isUnsent?: boolean }).isUnsent;
  return isAway
    ? `${error.message}\nStart one with \`orchestrator server start\`, or name another with ORCHESTRATOR_API_URL or \`orchestrator profile use\`.`
    : error.message;
}

interface ApiRefusal {
  readonly status: number;
  readonly url: string;
  readonly detail: string;
  readonly requestId: string | null;
  readonly problems: readonly { readonly where: string; readonly what: string }[];
}

function apiText({
  status,
  url = "",
  detail,
  requestId,
  problems = [],
  message,
}: Partial<ApiRefusal> & Error): string {
  // What the detail says already needs no line of its own.
  const sentences = problems.map(({ where, what }) => (where === "" ? what : `${where}: ${what}`));
  const missing = sentences.filter((sentence) => !detail?.includes(sentence));
  const lines = missing.map((sentence) => `  ${sentence}`);
  const id = status !== undefined && status >= 500 && requestId ? ` (request ${requestId})` : "";
  const reported = [`${detail ?? message}${id}`, ...lines].join("\n");
  return [explainPatterns(reported), ...credentialsHint(status, url)].join("\n");
}

const UNAUTHORIZED = 401;

function credentialsHint(status: number | undefined, url: string): string[] {
  if (status !== UNAUTHORIZED) return [];
  const names = url.includes("/uptime/")
    ? "UPTIME_PASSWORD (and UPTIME_USERNAME, where it is not admin)"
    : "ORCHESTRATOR_API_KEY (or ORCHESTRATOR_API_AUTH_STRING, where there is one password)";
  return [`Set ${names} in the environment, or with \`orchestrator config set\`.`];
}
