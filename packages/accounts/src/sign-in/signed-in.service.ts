import { isAppError } from "@orchestrator/kernel/pure";
import type { FastifyRequest } from "fastify";
import type { KeyAccess } from "../access/key-cache.ts";
import { sessionCookie } from "../access/session-token.rules.ts";
import type { AccountsContext } from "../context.ts";

/**
 * Whose session the browser brings along, if any. One that was begun with a key does not speak for
 * the user.
 */
export async function readSignedInUser(
  ctx: AccountsContext,
  request: FastifyRequest,
): Promise<KeyAccess | null> {
  const token = sessionCookie.read(request);
  if (token === null) return null;
  try {
    const [access = null] = await ctx.gate.identifySession(token);
    return access?.keyId === null ? access : null;
  } catch (error) {
    if (isAppError(error, "unauthorized")) return null;
    throw error;
  }
}
