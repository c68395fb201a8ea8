import {
  ById,
  ByResource,
  Sla,
  SlaCount,
  SlaCreate,
  SlaList,
  SlaMerge,
  SlaSet,
  SlaUpdate,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { countRows, listJson } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { readDeployment } from "../../flows/deployments/deployments.service.ts";
import { SLA_LIST } from "./slas.filter.ts";
import { applySlas, createSla, deleteSla, readSla, updateSla } from "./slas.service.ts";

const tags = ["SLAs"];
/** A deployment has fewer than these. */
const ALL = { limit: 100, offset: 0 };

export function slaRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/deployments/:id/slas",
    {
      schema: {
        tags,
        operationId: "createSla",
        summary: "Give a deployment an SLA",
        params: ById,
        body: SlaCreate,
        response: { 201: Sla },
      },
    },
    async ({ params: { id }, body, scope }, reply) =>
      sendJsonText(reply.code(201), await createSla(ctx, scope, { deploymentId: id, body })),
  );

  api.get(
    "/deployments/:id/slas",
    {
      schema: {
        tags,
        operationId: "listSlasOfDeployment",
        summary: "List the SLAs of a deployment, with what became of them",
        params: ById,
        response: { 200: Type.Array(Sla) },
      },
    },
    async ({ params: { id }, scope }, reply) => {
      await readDeployment(ctx, scope, { id });
      const page = { filter: { deployment_id: { any_: [id] } }, ...ALL };
      return sendJsonText(reply, await listJson(ctx.db.in(scope.workspaceId), SLA_LIST, page));
    },
  );

  api.post(
    "/slas/apply-resource-slas/:resource",
    {
      schema: {
        tags,
        operationId: "applySlas",
        summary: "Make a list of SLAs those of a deployment",
        description:
          "Matched by name: they are created, changed or, where they are not in the list, deleted.",
        params: ByResource,
        body: SlaSet,
        response: { 200: SlaMerge },
      },
    },
    ({ params: { resource }, body: wanted, scope }) => applySlas(ctx, scope, { resource, wanted }),
  );

  api.post(
    "/slas/filter",
    {
      schema: {
        tags,
        operationId: "listSlas",
        summary: "List SLAs",
        body: SlaList,
        response: { 200: Type.Array(Sla) },
      },
    },
    async ({ body, scope }, reply) => {
      const { slas, sort, limit, offset } = body;
      const page = { filter: slas, sort, limit, offset };
      return sendJsonText(reply, await listJson(ctx.db.in(scope.workspaceId), SLA_LIST, page));
    },
  );

  api.post(
    "/slas/count",
    {
      schema: {
        tags,
        operationId: "countSlas",
        summary: "Count SLAs",
        body: SlaCount,
        response: { 200: Type.Integer() },
      },
    },
    async ({ body, scope }) =>
      countRows(ctx.db.in(scope.workspaceId), SLA_LIST, { filter: body.slas }),
  );

  api.get(
    "/slas/:id",
    {
      schema: {
        tags,
        operationId: "readSla",
        summary: "Read an SLA, whether it is kept, and its last violation",
        params: ById,
        response: { 200: Sla },
      },
    },
    async ({ params: { id }, scope }, reply) => sendJsonText(reply, await readSla(ctx, scope, id)),
  );

  api.patch(
    "/slas/:id",
    {
      schema: {
        tags,
        operationId: "updateSla",
        summary: "Change the given fields of an SLA",
        params: ById,
        body: SlaUpdate,
        response: { 204: Type.Null() },
      },
    },
    async ({ params: { id }, body: changes, scope }, reply) => {
      await updateSla(ctx, scope, { id, changes });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/slas/:id",
    {
      schema: {
        tags,
        operationId: "deleteSla",
        summary: "Delete an SLA",
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async ({ params: { id }, scope }, reply) => {
      await deleteSla(ctx, scope, id);
      return reply.code(204).send();
    },
  );
}
