import { secretCookie } from "@orchestrator/kernel/http";

export const SESSION_COOKIE = "uptime_session";

export const { read: sessionTokenOf, write: sessionCookie } = secretCookie({
  name: SESSION_COOKIE,
  path: "/uptime",
});
