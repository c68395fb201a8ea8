import { WebhookReceipt } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { type RawWebhookRequest, receiveWebhook } from "./receive-webhook.service.ts";
import { TOKEN_PREFIX } from "./token.rules.ts";
import { formFieldsOf, plainHeaders } from "./webhook-request.rules.ts";

const BODY_BYTES = 1024 * 1024;
const NO_BYTES = Buffer.alloc(0);

const METHODS = [
  { method: "POST", operationId: "receiveWebhook" },
  { method: "PUT", operationId: "receiveWebhookByPut" },
  { method: "GET", operationId: "receiveWebhookByGet" },
] as const;

const unknownToken = (): AppError => new AppError("not_found", "Not Found");

/** Where other services send what becomes events. The address is all the credentials they have. */
export function receiveWebhookRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  // Bodies here are whatever the sender likes, so these routes read them in their own way.
  api.register((scoped, _options, done) => {
    const inner = scoped as unknown as ApiInstance;
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser("*", { parseAs: "buffer" }, (_request, bytes, parsed) => {
      parsed(null, bytes);
    });
    for (const { method, operationId } of METHODS) {
      inner.route({
        method,
        url: `/webhooks/${TOKEN_PREFIX}:token`,
        bodyLimit: BODY_BYTES,
        config: { hasOwnCredential: true, isBulkWrite: true },
        schema: {
          tags: ["Webhooks"],
          operationId,
          summary: "Send a request to a webhook, which makes an event of it",
          description:
            "The event is stored when this is answered. GET is answered with 204 and makes no event, unless the webhook accepts GET.",
          params: Type.Object({ token: Type.String() }),
          response: { 200: WebhookReceipt, 204: Type.Null() },
        },
        handler: async (request, reply) => {
          const { token } = request.params;
          const receipt = await receiveWebhook(ctx, TOKEN_PREFIX + token, rawRequest(request));
          return receipt === null ? reply.code(204).send() : reply.send(receipt);
        },
      });
    }
    // What is no token at all is answered as a token that nobody has.
    inner.post(
      "/webhooks/:token",
      { bodyLimit: BODY_BYTES, config: { hasOwnCredential: true }, schema: { hide: true } },
      () => Promise.reject(unknownToken()),
    );
    done();
  });
}

function rawRequest({
  method,
  headers,
  body,
  raw: { url = "" },
}: FastifyRequest): RawWebhookRequest {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    throw new AppError("unsupported_media_type", "Bodies that are compressed are not read");
  const [path = ""] = url.split("?", 1);
  return {
    method,
    headers: plainHeaders(headers),
    query: formFieldsOf(new URLSearchParams(url.slice(path.length))),
    bytes: Buffer.isBuffer(body) ? body : NO_BYTES,
  };
}
