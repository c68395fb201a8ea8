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
  readonly apiVersionHeader: string;
  readonly csrfTokenHeader: string;
  readonly csrfClientHeader: string;
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
        apiVersionHeader: "x-orchestrator-api-version",
        csrfTokenHeader: "orchestrator-csrf-token",
        csrfClientHeader: "orchestrator-csrf-client",
      };
    case "prefect":
      return {
        name,
        prefix: "prefect",
        apiVersion: "0.8.4",
        oldestApiVersion: "0.8.0",
        productVersion: "3.8.8",
        apiVersionHeader: "x-prefect-api-version",
        csrfTokenHeader: "prefect-csrf-token",
        csrfClientHeader: "prefect-csrf-client",
      };
  }
}
