import type {
  ReceivedEvent,
  Static,
  Webhook,
  WebhookCount,
  WebhookCreate,
  WebhookList,
  WebhookReceipt,
  WebhookSample,
  WebhookUpdate,
  WebhookWithToken,
} from "@orchestrator/contract";
import { del, each, get, patch, post, put, query, trigger } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof WebhookList>>;
type Receipt = WebhookReceipt | undefined;

export const webhooks = {
  /** The answer is the only one that holds the token. */
  create: post<(webhook: WebhookCreate) => WebhookWithToken>("/webhooks/"),
  read: get<(id: string) => Webhook>("/webhooks/{id}"),
  update: patch<(id: string, changes: WebhookUpdate) => void>("/webhooks/{id}"),
  replace: put<(id: string, changes: WebhookUpdate) => void>("/webhooks/{id}"),
  delete: del<(id: string) => void>("/webhooks/{id}"),
  list: query<(filter?: List) => Webhook[]>("/webhooks/filter"),
  each: each<(filter?: List) => Webhook>("/webhooks/filter"),
  count: query<(filter?: Static<typeof WebhookCount>) => number>("/webhooks/count"),
  /** Gives it a new token; the old one ends. */
  rotate: trigger<(id: string) => WebhookWithToken>("/webhooks/{id}/rotate", { repeat: "unsent" }),
  /** The event that a request would become. */
  preview:
    query<(id: string, sample?: WebhookSample) => Static<typeof ReceivedEvent>>(
      "/webhooks/{id}/preview",
    ),
  /**
   * Calls a webhook as a stranger would; the answer is empty when the template makes no event of
   * it.
   */
  send: post<(token: string, body?: unknown) => Receipt>("/webhooks/whk_{token}"),
  sendByPut: put<(token: string, body?: unknown) => Receipt>("/webhooks/whk_{token}", {
    repeat: "unsent",
  }),
  sendByGet: get<(token: string) => Receipt>("/webhooks/whk_{token}", { repeat: "unsent" }),
};
