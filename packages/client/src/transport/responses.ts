import { ApiError, type Problem } from "./errors.ts";
import type { HttpResponse, JsonFormat } from "./request.ts";
import { parseRetryAfterMs } from "./retry-after.ts";

export interface RequestTarget {
  readonly method: string;
  readonly url: string;
}

/** What an answer says: nothing, JSON, or text where it is something else. */
export async function readResponse(
  response: HttpResponse,
  asked: RequestTarget,
  read: JsonFormat["read"],
): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  if (contentType(response) === "text/plain") return text;
  if (!isJson(response)) {
    throw refusal(response, asked, {
      body: text,
      detail: "The answer is not JSON: is this the address of the API?",
    });
  }
  try {
    return read(text);
  } catch {
    throw refusal(response, asked, { body: text, detail: "The answer is no valid JSON" });
  }
}

/** The error for an answer that is a refusal. */
export async function readErrorResponse(
  response: HttpResponse,
  asked: RequestTarget,
): Promise<ApiError> {
  const text = await response.text();
  const body = parsed(text);
  return refusal(response, asked, { body, detail: detailOf(body) ?? usualDetail(response) });
}

function refusal(
  response: HttpResponse,
  asked: RequestTarget,
  { body, detail }: { readonly body: unknown; readonly detail: string },
): ApiError {
  return new ApiError({
    ...asked,
    status: response.status,
    detail,
    body,
    problems: problemsOf(body),
    requestId: response.headers.get("x-request-id") ?? textOf(body, "request_id"),
    retryAfterMs: parseRetryAfterMs(response.headers.get("retry-after"), Date.now()),
  });
}

function usualDetail({ status, statusText }: HttpResponse): string {
  return statusText === "" ? `The server refused with ${status}` : statusText;
}

function contentType(response: HttpResponse): string {
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}

function isJson(response: HttpResponse): boolean {
  return /^application\/(?:[\w.-]+\+)?json$/.test(contentType(response));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf(body: unknown, name: string): string | null {
  if (typeof body !== "object" || body === null) return null;
  const value = (body as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : null;
}

function detailOf(body: unknown): string | null {
  return textOf(body, "detail") ?? textOf(body, "exception_message");
}

/** `[{ loc: ["body", "name"], msg: "…" }]` is how the server lists what is wrong. */
function problemsOf(body: unknown): Problem[] {
  const listed =
    typeof body === "object" && body !== null
      ? (body as { readonly exception_detail?: unknown }).exception_detail
      : undefined;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((entry: unknown) => {
    const { loc, msg } = (entry ?? {}) as { readonly loc?: unknown; readonly msg?: unknown };
    if (typeof msg !== "string") return [];
    return [{ where: Array.isArray(loc) ? loc.join(".") : "", what: msg }];
  });
}
