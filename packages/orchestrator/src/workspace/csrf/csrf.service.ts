import { randomBytes } from "node:crypto";
import type { CsrfToken } from "@orchestrator/contract";
import { AppError, formatMicros } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import { safeEqual } from "@orchestrator/kernel/secrets";
import type { OrchestratorContext } from "../../context.ts";
import { findCsrfToken, removeExpiredCsrfTokens, upsertCsrfToken } from "./csrf.store.ts";

const TOKEN_BYTES = 32;

/** The established client looks for this sentence and then stops asking. */
const DISABLED = "CSRF protection is disabled.";
/** The established client looks for this text, fetches a new token and tries again. */
const INVALID = "Invalid CSRF token or client identifier.";

export async function issueCsrfToken(
  ctx: OrchestratorContext,
  scope: Scope,
  client: string,
): Promise<CsrfToken> {
  const { csrfProtectionEnabled, csrfTokenLifetime } = ctx.settings;
  if (!csrfProtectionEnabled) throw new AppError("invalid", DISABLED);
  const now = ctx.clock.now();
  const expiration = formatMicros(ctx.clock.nowMicros() + csrfTokenLifetime * 1000);
  const token = randomBytes(TOKEN_BYTES).toString("hex");
  const row = { id: ctx.ids.uuid7(), created: now, updated: now, client, token, expiration };
  return ctx.db.write(scope.workspaceId, async (tx) => {
    await removeExpiredCsrfTokens(tx, now);
    return upsertCsrfToken(tx, row);
  });
}

/** Throws `forbidden` unless the pair is one that was issued and is still good. */
export async function checkCsrfToken(
  ctx: OrchestratorContext,
  scope: Scope,
  { token, client }: { readonly token: string | undefined; readonly client: string | undefined },
): Promise<void> {
  if (token === undefined) throw new AppError("forbidden", "Missing CSRF token.");
  if (client === undefined) throw new AppError("forbidden", "Missing CSRF client identifier.");
  const stored = await findCsrfToken(ctx.db.in(scope.workspaceId), client);
  const isGood =
    stored !== null && safeEqual(stored.token, token) && stored.expiration > ctx.clock.now();
  if (!isGood) throw new AppError("forbidden", INVALID);
}
