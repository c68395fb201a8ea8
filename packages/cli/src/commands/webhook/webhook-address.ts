import type { WebhookWithToken } from "@orchestrator/contract";
import type { Session } from "../../io/session.ts";

/** Where others send to; whoever knows it can. */
export const addressOf = ({ client }: Session, { path }: WebhookWithToken): string =>
  new URL(path, client.url).href;
