import type { WebhookSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { WEBHOOKS } from "../../db/tables/webhooks.table.ts";

export const WEBHOOK_LIST: ListDefinition<WebhookSort> = {
  table: "webhooks",
  fields: WEBHOOKS.fields,
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    name: { column: "name", kind: "text", operators: ["any_", "like_"] },
    enabled: { column: "enabled", kind: "flag", operators: ["eq_"] },
  },
  sorts: {
    NAME_ASC: ["name asc"],
    NAME_DESC: ["name desc"],
    CREATED_DESC: ["created desc"],
    UPDATED_DESC: ["updated desc"],
  },
  defaultSort: "NAME_ASC",
};
