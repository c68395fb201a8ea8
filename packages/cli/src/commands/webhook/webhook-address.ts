import type { WebhookWithToken } from "@orchestrator/contract";
import type { CliSession } from "../../io/session.ts";

/** Where others send to; whoever knows it can. */
export const addressOf = ({ client }: CliSession, { path }: WebhookWithToken): string =>
  new URL(path, client.url).href;
