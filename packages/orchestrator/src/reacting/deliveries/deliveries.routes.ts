import { ById, Delivery, DeliveryCount, DeliveryList } from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { countRows, listJson } from "@orchestrator/kernel/lists";
import { AppError } from "@orchestrator/kernel/pure";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { DELIVERY_LIST } from "./deliveries.filter.ts";

const tags = ["Automations"];

export function deliveryRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/automations/deliveries/filter",
    {
      schema: {
        tags,
        operationId: "listDeliveries",
        summary: "List the messages that automations send, and what has become of them",
        body: DeliveryList,
        response: { 200: Type.Array(Delivery) },
      },
    },
    async ({ body, scope }, reply) => {
      const { deliveries, sort, limit, offset } = body;
      const page = { filter: deliveries, sort, limit, offset };
      return sendJsonText(reply, await listJson(ctx.db.in(scope.workspaceId), DELIVERY_LIST, page));
    },
  );

  api.post(
    "/automations/deliveries/count",
    {
      schema: {
        tags,
        operationId: "countDeliveries",
        summary: "Count the messages that automations send",
        body: DeliveryCount,
        response: { 200: Type.Integer() },
      },
    },
    async ({ body, scope }) =>
      countRows(ctx.db.in(scope.workspaceId), DELIVERY_LIST, { filter: body.deliveries }),
  );

  api.get(
    "/automations/deliveries/:id",
    {
      schema: {
        tags,
        operationId: "readDelivery",
        summary: "Read what has become of a message; its id is the invocation of its action",
        params: ById,
        response: { 200: Delivery },
      },
    },
    async ({ params: { id }, scope }, reply) => {
      const page = { filter: { id: { any_: [id] } }, limit: 1, offset: 0 };
      const list = await listJson(ctx.db.in(scope.workspaceId), DELIVERY_LIST, page);
      if (list === "[]") throw new AppError("not_found", `Delivery ${id} not found`);
      return sendJsonText(reply, list.slice(1, -1));
    },
  );
}
