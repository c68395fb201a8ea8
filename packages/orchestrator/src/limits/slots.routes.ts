import {
  LeaseKey,
  LeaseRenewal,
  SlotDecrement,
  SlotIncrement,
  SlotLease,
  SlotLeaseEnd,
  SlotLeaseResult,
  TouchedLimit,
} from "@orchestrator/contract";
import { type ApiInstance, clientDisconnected } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../context.ts";
import {
  decrementSlots,
  endLease,
  extendLease,
  incrementSlots,
  leaseSlots,
} from "./slots.service.ts";

const PATH = "/v2/concurrency_limits";

export function slotRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Concurrency limits"];
  // Requests are let finish before the server goes; those that only wait must not hold it up.
  api.addHook("preClose", async () => {
    ctx.slotLines.stop();
  });

  api.post(
    `${PATH}/increment`,
    {
      config: { mayWait: true },
      schema: {
        tags,
        operationId: "incrementConcurrencySlots",
        summary: "Take slots of all the limits named, or of none",
        body: SlotIncrement,
        response: { 200: Type.Array(TouchedLimit) },
      },
    },
    async (request, reply) =>
      incrementSlots(ctx, request.scope, {
        body: request.body,
        gone: () => clientDisconnected(reply),
      }),
  );

  api.post(
    `${PATH}/increment-with-lease`,
    {
      config: { mayWait: true },
      schema: {
        tags,
        operationId: "leaseConcurrencySlots",
        summary: "Take slots of all the limits named, or of none, until a lease runs out",
        body: SlotLease,
        response: { 200: SlotLeaseResult },
      },
    },
    async (request, reply) =>
      leaseSlots(ctx, request.scope, { body: request.body, gone: () => clientDisconnected(reply) }),
  );

  api.post(
    `${PATH}/decrement`,
    {
      schema: {
        tags,
        operationId: "decrementConcurrencySlots",
        summary: "Give back slots that were taken without a lease",
        body: SlotDecrement,
        response: { 200: Type.Array(TouchedLimit) },
      },
    },
    async (request) => decrementSlots(ctx, request.scope, request.body),
  );

  api.post(
    `${PATH}/decrement-with-lease`,
    {
      schema: {
        tags,
        operationId: "endConcurrencyLease",
        summary: "Give back what a lease holds",
        body: SlotLeaseEnd,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await endLease(ctx, request.scope, request.body.lease_id);
      return reply.code(204).send();
    },
  );

  api.post(
    `${PATH}/leases/:lease_id/renew`,
    {
      schema: {
        tags,
        operationId: "renewConcurrencyLease",
        summary: "Hold a lease for longer, counted from now",
        params: LeaseKey,
        body: LeaseRenewal,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { lease_duration: seconds } = request.body;
      await extendLease(ctx, request.scope, { leaseId: request.params.lease_id, seconds });
      return reply.code(204).send();
    },
  );
}
