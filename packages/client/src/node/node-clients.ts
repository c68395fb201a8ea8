import {
  type ClientOptions,
  createClient as createAnyClient,
  type OrchestratorClient,
} from "../create-client.ts";
import {
  createUptimeClient as createAnyUptimeClient,
  type UptimeClient,
} from "../create-uptime-client.ts";
import { sendRequest } from "./http-requests.ts";
import { type ConfigOptions, resolveConfig } from "./resolve-config.ts";

/** What the environment and the profile do not say, or are not to say. */
export type NodeClientOptions = Partial<ClientOptions> & ConfigOptions;

/** Most programs open no websocket, and `ws` takes longer to load than the client itself. */
const loadWebSocket = async () => (await import("./node-web-socket.ts")).NodeWebSocket;

const DEFAULT_USERNAME = "admin";

/**
 * A client of the orchestration API that the options name, else the environment
 * (`ORCHESTRATOR_API_URL`, `ORCHESTRATOR_API_KEY` or `ORCHESTRATOR_API_AUTH_STRING`), else the
 * profile in use, else a server on this machine.
 */
export function createClient({
  env,
  profile,
  ...options
}: NodeClientOptions = {}): OrchestratorClient {
  const own = { loadWebSocket, send: sendRequest, ...options };
  if (options.url !== undefined) return createAnyClient({ ...own, url: options.url });
  const { settings } = resolveConfig({ env, profile });
  return createAnyClient({
    ...own,
    url: settings.ORCHESTRATOR_API_URL.value,
    apiKey: options.apiKey ?? settings.ORCHESTRATOR_API_KEY?.value,
    authString: options.authString ?? settings.ORCHESTRATOR_API_AUTH_STRING?.value,
  });
}

/**
 * A client of the uptime API, found in the same way (`UPTIME_API_URL`, `UPTIME_USERNAME`,
 * `UPTIME_PASSWORD`).
 */
export function createUptimeClient({
  env,
  profile,
  ...options
}: NodeClientOptions = {}): UptimeClient {
  const own = { send: sendRequest, ...options };
  if (options.url !== undefined) return createAnyUptimeClient({ ...own, url: options.url });
  const { settings } = resolveConfig({ env, profile });
  const password = settings.UPTIME_PASSWORD?.value;
  const username = settings.UPTIME_USERNAME?.value ?? DEFAULT_USERNAME;
  // A server with accounts takes the same keys for both services.
  const key = password === undefined ? settings.ORCHESTRATOR_API_KEY?.value : undefined;
  return createAnyUptimeClient({
    ...own,
    url: settings.UPTIME_API_URL.value,
    apiKey: options.apiKey ?? (options.basic === undefined ? key : undefined),
    basic: options.basic ?? (password === undefined ? undefined : { username, password }),
  });
}
