import { createUptimeClient } from "@orchestrator/client";
import { writeJson } from "@orchestrator/exact-json";
import { authMode } from "./auth-mode.ts";
import { UI_JSON_FORMAT } from "./client.ts";
import { access } from "./sign-in.ts";
import { sessionEnded } from "./uptime-session.ts";
import { inWorkspace } from "./workspace.ts";

const UNAUTHORIZED = 401;

const options: Parameters<typeof createUptimeClient>[0] = {
  url: `${location.origin}/uptime/api${inWorkspace("")}`,
  fetch:
    authMode === "accounts" && access.fetch
      ? access.fetch
      : async (...asked) => {
          const response = await fetch(...asked);
          if (response.status === UNAUTHORIZED) sessionEnded();
          return response;
        },
};

/**
 * The uptime API of the server that this page came from. The browser keeps the cookie of the
 * session; nothing else is kept. With accounts it is the session of the whole page, else one of its
 * own.
 */
export const uptime = createUptimeClient({
  ...options,
  json: { read: JSON.parse, write: writeJson },
});

/** The same for what a monitor expects, which goes back as it was written. */
export const exactUptime = createUptimeClient({ ...options, json: UI_JSON_FORMAT });
