import { authMode } from "./auth-mode.ts";
import { api } from "./client.ts";

/** What whoever calls from a terminal has to say about themselves. */
const CALLER = {
  open: "",
  password: ' -u "$ORCHESTRATOR_SERVER_AUTH_STRING"',
  accounts: ' -H "Authorization: Bearer $ORCHESTRATOR_API_KEY"',
};

/** The beginning of a command that posts JSON to the API of this workspace. */
export const curlTo = (path: string): string =>
  `curl ${api.url}${path}${CALLER[authMode]} -H 'content-type: application/json'`;
