// What a client needs to be told about its server. Each may be said in the environment or in a
// profile.

export const CLIENT_SETTINGS = {
  ORCHESTRATOR_API_URL: {
    description:
      "Where the orchestration API is; the address of an account and a workspace may follow.",
    isSecret: false,
    problem: urlProblem,
  },
  ORCHESTRATOR_API_KEY: {
    description: "The key the orchestration API knows the caller by.",
    isSecret: true,
    problem: headerProblem,
  },
  ORCHESTRATOR_API_AUTH_STRING: {
    description: "The string of a server with one password, as user:password; a key goes first.",
    isSecret: true,
    problem: headerProblem,
  },
  UPTIME_API_URL: {
    description: "Where the uptime API is; beside the orchestration API when left out.",
    isSecret: false,
    problem: urlProblem,
  },
  UPTIME_USERNAME: {
    description: "The account of the uptime API.",
    isSecret: false,
    problem: headerProblem,
  },
  UPTIME_PASSWORD: {
    description: "The password of the uptime API.",
    isSecret: true,
    problem: headerProblem,
  },
} as const satisfies Readonly<Record<string, ClientSetting>>;

export interface ClientSetting {
  readonly description: string;
  /** Not to be shown. */
  readonly isSecret: boolean;
  /** What is wrong with a value, as the end of a sentence; null when nothing is. */
  readonly problem: (value: string) => string | null;
}

export type ClientSettingName = keyof typeof CLIENT_SETTINGS;

/** The values of some settings, by their names. */
export type ClientSettingValues = { readonly [Name in ClientSettingName]?: string };

export function isClientSetting(name: string): name is ClientSettingName {
  return Object.hasOwn(CLIENT_SETTINGS, name);
}

function urlProblem(value: string): string | null {
  if (!URL.canParse(value)) return "is no URL, such as http://127.0.0.1:4200/api";
  const { protocol, username, search, hash } = new URL(value);
  if (protocol !== "http:" && protocol !== "https:") return "must begin with http:// or https://";
  if (username !== "") return "must not hold a name or password: they have settings of their own";
  return search === "" && hash === "" ? null : "must end with its path";
}

function headerProblem(value: string): string | null {
  if (value === "") return "must not be empty";
  // Line breaks and the like, which no header can hold.
  return /[\p{Cc}]/u.test(value) ? "must not hold control characters" : null;
}
