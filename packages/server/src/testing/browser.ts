// What a browser does with a server that has accounts: it keeps its cookies, and says where
// requests come from.
import { type Call, type ServerAccess, type ServerResponse } from "./guarded-server.ts";

export interface Browser {
  readonly call: (
    method: string,
    path: string,
    call?: Omit<Call, "key">,
  ) => Promise<ServerResponse>;
  /** Signs in and keeps the session. */
  readonly logIn: (login: object) => Promise<ServerResponse>;
  /** The cookies as they are sent. */
  readonly cookies: () => string;
}

export function browserOf(server: ServerAccess, name = "Browser/1"): Browser {
  const jar = new Map<string, string>();
  const cookies = (): string => [...jar].map(([key, value]) => `${key}=${value}`).join("; ");
  const call: Browser["call"] = async (method, path, { headers = {}, ...rest } = {}) => {
    const own = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "user-agent": name };
    const sent = { ...own, ...(jar.size > 0 ? { cookie: cookies() } : {}), ...headers };
    const answer = await server.call(method, path, { ...rest, headers: sent });
    keep(jar, answer.headers.getSetCookie());
    return answer;
  };
  return {
    call,
    cookies,
    logIn: (body) => call("POST", "/api/auth/login", { body }),
  };
}

function keep(jar: Map<string, string>, given: readonly string[]): void {
  for (const cookie of given) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/max-age=0\b/i.test(cookie)) jar.delete(name);
    else jar.set(name, value);
  }
}
