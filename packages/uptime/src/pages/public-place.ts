import { namedWorkspace } from "@orchestrator/kernel/scope";
import type { FastifyRequest } from "fastify";
import type { UptimeContext } from "../context.ts";
import type { PublicPlace } from "./public-pages.ts";

const BASE = "/uptime";

/**
 * The workspace that the address names, or the first. Throws `not_found` where there is none of
 * that name.
 */
export async function publicPlace(
  { gate }: Pick<UptimeContext, "gate">,
  request: FastifyRequest,
): Promise<PublicPlace> {
  const { workspaceId } = await gate.pass(request);
  const named = namedWorkspace(request.raw);
  if (named === null) return { workspaceId, base: BASE };
  const { accountId } = named;
  return { workspaceId, base: `${BASE}/accounts/${accountId}/workspaces/${workspaceId}` };
}
