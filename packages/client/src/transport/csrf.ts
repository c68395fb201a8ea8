import type { CsrfToken } from "@orchestrator/contract";
import { ApiError } from "./errors.ts";
import type { ApiResponse, Request } from "./request.ts";
import { uuid } from "./uuid.ts";

/**
 * A server that protects pages against others wants changing requests to carry a token. It is
 * fetched when it is asked for.
 */
export interface CsrfTokens {
  readonly headers: () => Readonly<Record<string, string>>;
  /** Whether the error asks for a token and there is a new one now. */
  readonly renew: (error: unknown) => Promise<boolean>;
}

const FORBIDDEN = 403;

export function createCsrfTokens(send: (request: Request) => Promise<ApiResponse>): CsrfTokens {
  const client = uuid();
  let token: string | null = null;

  return {
    headers: () =>
      token === null
        ? {}
        : {
            "orchestrator-csrf-token": token,
            "orchestrator-csrf-client": client,
            "prefect-csrf-token": token,
            "prefect-csrf-client": client,
          },
    async renew(error) {
      const wantsToken =
        error instanceof ApiError && error.status === FORBIDDEN && error.detail.includes("CSRF");
      if (!wantsToken) return false;
      const path = `/csrf-token?client=${client}`;
      const traits = { takes: "nothing", repeat: "always" } as const;
      const { value } = await send({ method: "GET", path, traits });
      ({ token } = value as CsrfToken);
      return true;
    },
  };
}
