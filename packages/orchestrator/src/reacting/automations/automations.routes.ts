import {
  Automation,
  AutomationCount,
  AutomationCreate,
  AutomationList,
  AutomationReplace,
  AutomationResource,
  AutomationSimulate,
  AutomationSimulation,
  AutomationSwitch,
  AutomationTrace,
  ById,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { countRows, listJson } from "@orchestrator/kernel/lists";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { AUTOMATION_LIST } from "./automations.filter.ts";
import {
  createAutomation,
  deleteAutomation,
  deleteOwned,
  listRelated,
  readAutomation,
  replaceAutomation,
  setEnabled,
} from "./automations.service.ts";
import { nameTypes } from "./missing-types.rules.ts";
import { receiveNames } from "./receive-names.service.ts";
import { simulateAutomation } from "./simulate.service.ts";
import { readTrace } from "./triggers/trace.service.ts";

export function automationRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Automations"];
  /** Types that are clear, and names in place of ids. */
  const receiveShort = async ({ body, scope }: FastifyRequest): Promise<void> => {
    nameTypes(body, ctx.dialect);
    await receiveNames(ctx, scope, body);
  };

  api.post(
    "/automations/",
    {
      preValidation: receiveShort,
      schema: {
        tags,
        operationId: "createAutomation",
        summary: "Create an automation",
        body: AutomationCreate,
        response: { 201: Automation },
      },
    },
    async (request, reply) =>
      sendJsonText(reply.code(201), await createAutomation(ctx, request.scope, request.body)),
  );

  api.post(
    "/automations/filter",
    {
      schema: {
        tags,
        operationId: "listAutomations",
        summary: "List automations",
        body: AutomationList,
        response: { 200: Type.Array(Automation) },
      },
    },
    async (request, reply) => {
      const { automations, sort, limit, offset } = request.body;
      const page = { filter: automations, sort, limit, offset };
      return sendJsonText(
        reply,
        await listJson(ctx.db.in(request.scope.workspaceId), AUTOMATION_LIST, page),
      );
    },
  );

  api.post(
    "/automations/count",
    {
      schema: {
        tags,
        operationId: "countAutomations",
        summary: "Count automations",
        body: AutomationCount,
        response: { 200: Type.Integer() },
      },
    },
    async (request) =>
      countRows(ctx.db.in(request.scope.workspaceId), AUTOMATION_LIST, {
        filter: request.body.automations,
      }),
  );

  api.post(
    "/automations/simulate",
    {
      preValidation: receiveShort,
      schema: {
        tags,
        operationId: "simulateAutomation",
        summary: "Try out a trigger on events of the past, or on given ones; nothing is done",
        body: AutomationSimulate,
        response: { 200: AutomationSimulation },
      },
    },
    async (request) => simulateAutomation(ctx, request.scope, request.body),
  );

  api.get(
    "/automations/related-to/:resource_id",
    {
      schema: {
        tags,
        operationId: "listRelatedAutomations",
        summary: "List the automations that belong to a resource or act on it",
        params: AutomationResource,
        response: { 200: Type.Array(Automation) },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await listRelated(ctx, request.scope, request.params.resource_id)),
  );

  api.delete(
    "/automations/owned-by/:resource_id",
    {
      schema: {
        tags,
        operationId: "deleteOwnedAutomations",
        summary: "Delete the automations that belong to a resource",
        params: AutomationResource,
        response: { 202: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteOwned(ctx, request.scope, request.params.resource_id);
      reply.code(202);
      return null;
    },
  );

  api.get(
    "/automations/:id",
    {
      schema: {
        tags,
        operationId: "readAutomation",
        summary: "Read an automation",
        params: ById,
        response: { 200: Automation },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readAutomation(ctx, request.scope, request.params.id)),
  );

  api.get(
    "/automations/:id/trace",
    {
      schema: {
        tags,
        operationId: "readAutomationTrace",
        summary: "Read when an automation last fired, when it nearly did, and why it did not",
        params: ById,
        response: { 200: AutomationTrace },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readTrace(ctx, request.scope, request.params.id)),
  );

  api.put(
    "/automations/:id",
    {
      preValidation: receiveShort,
      schema: {
        tags,
        operationId: "replaceAutomation",
        summary: "Replace an automation; its triggers begin afresh",
        params: ById,
        body: AutomationReplace,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await replaceAutomation(ctx, request.scope, { id: request.params.id, body: request.body });
      return reply.code(204).send();
    },
  );

  api.patch(
    "/automations/:id",
    {
      schema: {
        tags,
        operationId: "switchAutomation",
        summary: "Switch an automation on or off",
        params: ById,
        body: AutomationSwitch,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { enabled = null } = request.body;
      await setEnabled(ctx, request.scope, { id: request.params.id, enabled });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/automations/:id",
    {
      schema: {
        tags,
        operationId: "deleteAutomation",
        summary: "Delete an automation",
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteAutomation(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );
}
