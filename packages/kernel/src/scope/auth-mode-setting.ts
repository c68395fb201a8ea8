import { setting } from "../config/setting.ts";
import { choice, type Env } from "../config/setting-types.ts";
import { AUTH_MODES } from "./gate.ts";

export const authModeSetting = setting({
  name: "ORCHESTRATOR_SERVER_AUTH_MODE",
  type: choice(AUTH_MODES),
  default: (env: Env) =>
    (env["ORCHESTRATOR_SERVER_AUTH_STRING"] ?? "") === "" ? "open" : "password",
  defaultText: "open; password where there is an auth string",
  summary:
    "Who may call the orchestration API: `open` every client, `password` callers with the auth string, `accounts` callers with a key or a session.",
});

/**
 * For defaults that are stricter where users do not run the machine; a value that is invalid is
 * reported by the setting.
 */
export function hasAccounts(env: Env): boolean {
  return authModeSetting.parse(env[authModeSetting.name] ?? "", env) === "accounts";
}
