import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { errorBody } from "./error-body.ts";
import { JSON_TYPE } from "./json-reply.ts";
import type { HttpServerSocket, SlowRequestGuard } from "./slow-request-guard.ts";

type ClientError = Error & { readonly code?: string };

const LATE = "ERR_HTTP_REQUEST_TIMEOUT";

const STATUS_BY_CODE: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  [LATE]: [408, "The request took too long to arrive"],
  HPE_HEADER_OVERFLOW: [431, "The request headers are too large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The chunk extensions are too large"],
};

/**
 * Answers what is not even a request: a broken request line, headers without end, a sender too
 * slow.
 */
export const createClientErrors =
  (late: SlowRequestGuard) =>
  (error: ClientError, socket: HttpServerSocket): void => {
    if (error.code === LATE) void late.judge(socket, () => answer(error, socket));
    else answer(error, socket);
  };

function answer(error: ClientError, socket: HttpServerSocket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  // A response on its way must not be mixed with another one.
  if (socket.writable && socket._httpMessage?.headersSent !== true) {
    const [status, detail] = STATUS_BY_CODE[error.code ?? ""] ?? [
      400,
      "The request is not valid HTTP",
    ];
    const body = JSON.stringify(errorBody(detail));
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nConnection: close\r\nX-Request-Id: ${randomUUID()}\r\n` +
        `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n` +
        `Content-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}
