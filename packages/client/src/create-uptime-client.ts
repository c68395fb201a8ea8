import { type BoundResources, bindAll, type ClientOptions } from "./create-client.ts";
import { createTransport } from "./transport/transport.ts";
import { uptimeResources } from "./uptime-resources.ts";

/** The uptime API: `client.monitors.create(…)`, `client.results.each(…)`. */
export interface UptimeClient extends BoundResources<typeof uptimeResources> {
  /** Where the API is, without a slash at the end. */
  readonly url: string;
}

/**
 * A client of the uptime API at `url`, known to it by `basic`, or in a browser by the session of
 * `login.logIn`.
 */
export function createUptimeClient(options: ClientOptions): UptimeClient {
  const transport = createTransport(options);
  return { url: transport.url, ...bindAll(transport, uptimeResources) };
}
