import type { ApiInstance } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { ApiDialect } from "./dialect.ts";

/** Probes may come from anything and are always answered. */
const UNVERSIONED = new Set(["/api/health", "/api/version"]);

/**
 * Refuses callers that ask for a version of the API older than the oldest one served. No header, or
 * an empty one, means the newest.
 */
export function checkApiVersion(api: ApiInstance, dialect: ApiDialect): void {
  const { apiVersionHeader, oldestApiVersion } = dialect;
  const oldest = parseVersion(oldestApiVersion) ?? [0, 0, 0];
  api.addHook("onRequest", (request, _reply, done) => {
    const asked = request.headers[apiVersionHeader];
    if (!asked || UNVERSIONED.has(request.routeOptions.url ?? "")) {
      done();
      return;
    }
    const version = parseVersion(String(asked));
    if (version === null) {
      done(
        new AppError(
          "bad_request",
          `${apiVersionHeader} must be three numbers joined by dots, such as ${oldestApiVersion}`,
        ),
      );
    } else if (isOlder(version, oldest)) {
      done(
        new AppError(
          "bad_request",
          `API version ${String(asked)} is older than ${oldestApiVersion}, the oldest one served: upgrade the client`,
        ),
      );
    } else {
      done();
    }
  });
}

type Version = readonly [number, number, number];

function parseVersion(text: string): Version | null {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(text);
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}

function isOlder(version: Version, other: Version): boolean {
  for (const [index, part] of version.entries()) {
    const difference = part - (other[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
