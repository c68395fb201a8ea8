import { createUptimeClient } from "@orchestrator/client";
import { sessionEnded } from "./uptime-session.ts";

const UNAUTHORIZED = 401;

/** The uptime API of the server that this page came from. The browser keeps the cookie of the session; nothing else is kept. */
export const uptime = createUptimeClient({
  url: `${location.origin}/uptime/api`,
  fetch: async (...asked) => {
    const response = await fetch(...asked);
    if (response.status === UNAUTHORIZED) sessionEnded();
    return response;
  },
});
