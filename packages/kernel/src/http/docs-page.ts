import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { sendJsonText } from "./json-reply.ts";
import type { ApiDescription, OpenApiDocument } from "./openapi-document.ts";

const ASSETS: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

// The page loads nothing from elsewhere, and the browser is told so.
const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'self'";

/**
 * The OpenAPI document and the interactive page over it. Nothing is built or read before someone
 * asks.
 */
export function mountDocs(
  api: FastifyInstance,
  description: ApiDescription,
  document: () => OpenApiDocument,
): void {
  const { docsPrefix: prefix = description.prefix } = description;
  let documentText: string | undefined;
  api.get("/openapi.json", (_request, reply) => {
    documentText ??= JSON.stringify(document());
    sendJsonText(reply, documentText);
  });
  api.get("/docs", (_request, reply) => {
    reply.header("content-security-policy", CONTENT_POLICY);
    reply.header("content-type", "text/html; charset=utf-8").send(page(description));
  });
  api.get("/docs/start.js", (_request, reply) => {
    reply.header("content-type", "text/javascript; charset=utf-8").send(startScript(prefix));
  });
  for (const [name, type] of Object.entries(ASSETS)) {
    let content: Promise<Buffer> | undefined;
    api.get(`/docs/${name}`, async (_request, reply) => {
      content ??= readFile(join(assetFolder(), name));
      reply.header("cache-control", "public, max-age=86400").header("content-type", type);
      return reply.send(await content);
    });
  }
  api.get("/redoc", (_request, reply) => {
    reply.redirect(`${prefix}/docs`);
  });
}

/**
 * Only the files of the package are used: its plugin would load a static file server at start-up.
 */
function assetFolder(): string {
  const entry = createRequire(import.meta.url).resolve("@fastify/swagger-ui");
  return join(dirname(entry), "static");
}

function page({
  prefix: ownPrefix,
  docsPrefix: prefix = ownPrefix,
  title,
}: ApiDescription): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${prefix}/docs/swagger-ui-bundle.js"></script>
<script src="${prefix}/docs/start.js"></script>
</body>
</html>
`;
}

function startScript(prefix: string): string {
  const url = JSON.stringify(`${prefix}/openapi.json`);
  return `SwaggerUIBundle({ url: ${url}, dom_id: "#swagger-ui", deepLinking: true, validatorUrl: null });\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
