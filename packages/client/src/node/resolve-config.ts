import {
  CLIENT_SETTINGS,
  type ClientSettingName,
  type ClientSettingValues,
} from "./client-settings.ts";
import { type EnvironmentVariables, ProfilesError, readProfiles } from "./profiles.ts";

const DEFAULT_URL = "http://127.0.0.1:4200/api";

export interface SettingInUse {
  readonly value: string;
  readonly source: "env" | "profile" | "default";
}

/** What holds for clients: the environment before the profile in use before what is usual. */
export interface ClientConfig {
  /** The profile in use. */
  readonly profile: string;
  readonly settings: Readonly<
    Partial<Record<ClientSettingName, SettingInUse>> &
      Record<"ORCHESTRATOR_API_URL" | "UPTIME_API_URL", SettingInUse>
  >;
}

export interface ConfigOptions {
  /** @default process.env */
  readonly env?: EnvironmentVariables | undefined;
  /** Another profile than the one in use; `ORCHESTRATOR_PROFILE` names one, too. */
  readonly profile?: string | undefined;
}

export function resolveConfig({ env = process.env, profile }: ConfigOptions = {}): ClientConfig {
  const { active, profiles } = readProfiles(env);
  const name = profile ?? (env["ORCHESTRATOR_PROFILE"] || active);
  const stored = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (stored === undefined) {
    const known = Object.keys(profiles).join(", ");
    throw new ProfilesError(`There is no profile ${JSON.stringify(name)}, only ${known}`);
  }
  const inUse = (setting: ClientSettingName): SettingInUse | undefined =>
    find(setting, env, stored);
  const url = inUse("ORCHESTRATOR_API_URL") ?? { value: DEFAULT_URL, source: "default" };
  const uptimeUrl = belonging(inUse("UPTIME_API_URL"), url) ?? {
    value: uptimeBeside(url.value),
    source: url.source,
  };
  const secrets = {
    ORCHESTRATOR_API_KEY: belonging(inUse("ORCHESTRATOR_API_KEY"), url),
    ORCHESTRATOR_API_AUTH_STRING: belonging(inUse("ORCHESTRATOR_API_AUTH_STRING"), url),
    UPTIME_USERNAME: belonging(inUse("UPTIME_USERNAME"), uptimeUrl),
    UPTIME_PASSWORD: belonging(inUse("UPTIME_PASSWORD"), uptimeUrl),
  };
  const given = Object.entries(secrets).filter(([, value]) => value !== undefined);
  return {
    profile: name,
    settings: {
      ORCHESTRATOR_API_URL: url,
      UPTIME_API_URL: uptimeUrl,
      ...(Object.fromEntries(given) as Partial<Record<ClientSettingName, SettingInUse>>),
    },
  };
}

function find(
  setting: ClientSettingName,
  env: EnvironmentVariables,
  stored: ClientSettingValues,
): SettingInUse | undefined {
  const said = env[setting];
  if (said !== undefined && said !== "") {
    const problem = CLIENT_SETTINGS[setting].problem(said);
    if (problem !== null) throw new ProfilesError(`${setting} ${problem}`);
    return { value: said, source: "env" };
  }
  const value = stored[setting];
  return value === undefined ? undefined : { value, source: "profile" };
}

/** What a profile says about its server is not told to another one that the environment names. */
function belonging(said: SettingInUse | undefined, url: SettingInUse): SettingInUse | undefined {
  return said?.source === "profile" && url.source === "env" ? undefined : said;
}

/** Both services are one process unless something else is said, and have the same workspaces. */
function uptimeBeside(apiUrl: string): string {
  const url = new URL(apiUrl);
  const [, before = "", workspace = ""] =
    /^(.*?)(?:\/api(\/accounts\/[^/]+\/workspaces\/[^/]+)?(?:\/.*)?)?$/.exec(url.pathname) ?? [];
  url.pathname = `${before.replace(/\/+$/, "")}/uptime/api${workspace}`;
  return url.href;
}
