import { isHttps } from "@orchestrator/kernel";
import type { FastifyRequest } from "fastify";
import type { AccountsSettings } from "../../settings.ts";

/** Where browsers reach the server, without a slash at the end: as the settings say, else by the name that was used. */
export function baseUrl({ publicUrl }: AccountsSettings, request: FastifyRequest): string {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, "");
  return `${isHttps(request) ? "https" : "http"}://${request.headers.host ?? "localhost"}`;
}
