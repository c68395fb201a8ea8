// Every difference between the API document and the established clients' expectations stands here.

export const DIALECT_NAMES = ["orchestrator", "prefect"] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

/** How the API speaks. Read from the context; nothing else asks for a dialect's name. */
export interface ApiDialect {
  readonly name: DialectName;
  /** What event names, label keys and resource ids begin with. */
  readonly prefix: string;
  /** The answer of `/version`: the version of the API itself. */
  readonly apiVersion: string;
  /** The oldest API version a caller may ask for. */
  readonly oldestApiVersion: string;
  /** The answer of `/admin/version`; clients refuse a server of another major version. */
  readonly productVersion: string;
  /**
   * Whether cancelling a run that runs nowhere makes it CANCELLED at once; otherwise any run
   * becomes CANCELLING first.
   */
  readonly cancelsAtOnce: boolean;
  /**
   * Whether creating a deployment that the flow has already changes that one; otherwise it is
   * refused.
   */
  readonly replacesDeployments: boolean;
  /** The type of a work pool that is made without one. */
  readonly poolType: string;
  /**
   * Whether a queue named without a pool is one of the agents' pool, where there is that pool;
   * otherwise it may be one of any.
   */
  readonly keepsToAgentsPool: boolean;
  /**
   * How something new is refused that names what does not exist: a deployment of an unknown flow, a
   * run of an unknown deployment.
   */
  readonly unknownNamed: "not_found" | "conflict";
  /**
   * Whether a run under way that is deleted, and holds no lease, gives back a slot of its
   * deployment that nobody in particular holds.
   */
  readonly returnsUnleasedSlots: boolean;
  /** How parameters are refused that do not fit the schema of their deployment. */
  readonly unfitParameters: "invalid" | "conflict";
  /** The words in which values that do not fit a schema are refused. */
  readonly problemWords: "own" | "client";
  /**
   * Whether schedules may say what the established clients cannot read; otherwise those are
   * refused.
   */
  readonly takesAnySchedule: boolean;
  /**
   * Whether a webhook that has answered counts as called, whatever it answers; otherwise it is
   * called again when it was busy.
   */
  readonly takesAnyAnswer: boolean;
  /**
   * Whether the payload of a webhook is a text in every answer; otherwise JSON that holds templates
   * stays JSON.
   */
  readonly tellsPayloadsAsText: boolean;
  /**
   * Whether an action without a type is the first that its fields fit: so the established client
   * sends those it changes. Otherwise it is refused.
   */
  readonly guessesActions: boolean;
  /**
   * Whether a Proactive trigger without `for_each` waits from the beginning also where it has
   * `after`; otherwise for that first.
   */
  readonly watchesUnasked: boolean;
  /**
   * Whether the log as CSV has times and levels as Python writes them; otherwise ISO 8601 and the
   * names of levels.
   */
  readonly writesLogsPlainly: boolean;
  readonly apiVersionHeader: string;
  readonly csrfTokenHeader: string;
  readonly csrfClientHeader: string;
  /** With this header, and the value `true`, a person looks at a queue: that is no poll. */
  readonly uiHeader: string;
  /**
   * With these headers a caller names the automation that it makes runs for; null where nobody else
   * makes them for one.
   */
  readonly automationHeaders: { readonly id: string; readonly name: string } | null;
}

export function apiDialect(name: DialectName, productVersion: string): ApiDialect {
  switch (name) {
    case "orchestrator":
      return {
        name,
        prefix: "orchestrator",
        apiVersion: "1.0.0",
        oldestApiVersion: "1.0.0",
        productVersion,
        cancelsAtOnce: false,
        replacesDeployments: false,
        poolType: "process",
        keepsToAgentsPool: false,
        unknownNamed: "not_found",
        returnsUnleasedSlots: false,
        unfitParameters: "invalid",
        problemWords: "own",
        takesAnySchedule: true,
        takesAnyAnswer: false,
        tellsPayloadsAsText: false,
        guessesActions: false,
        watchesUnasked: false,
        writesLogsPlainly: false,
        apiVersionHeader: "x-orchestrator-api-version",
        csrfTokenHeader: "orchestrator-csrf-token",
        csrfClientHeader: "orchestrator-csrf-client",
        uiHeader: "x-orchestrator-ui",
        automationHeaders: null,
      };
    case "prefect":
      return {
        name,
        prefix: "prefect",
        apiVersion: "0.8.4",
        oldestApiVersion: "0.8.0",
        productVersion: "3.9.2",
        cancelsAtOnce: true,
        replacesDeployments: true,
        poolType: "prefect-agent",
        keepsToAgentsPool: true,
        unknownNamed: "conflict",
        returnsUnleasedSlots: true,
        unfitParameters: "conflict",
        problemWords: "client",
        takesAnySchedule: false,
        takesAnyAnswer: true,
        tellsPayloadsAsText: true,
        guessesActions: true,
        watchesUnasked: true,
        writesLogsPlainly: true,
        apiVersionHeader: "x-prefect-api-version",
        csrfTokenHeader: "prefect-csrf-token",
        csrfClientHeader: "prefect-csrf-client",
        uiHeader: "x-prefect-ui",
        automationHeaders: { id: "prefect-automation-id", name: "prefect-automation-name" },
      };
  }
}
