import type {
  CsrfToken,
  JsonObject,
  SchemaValidationRequest,
  SchemaValidationResult,
} from "@orchestrator/contract";
import { get, getWith, query } from "../transport/operation.ts";

export const server = {
  /** True when the server answers. */
  health: get<() => boolean>("/health"),
  /** Whether it can do its work, with 503 as a refusal. */
  readiness: get<() => JsonObject>("/ready"),
  hello: get<() => string>("/hello"),
  /** The version of the API. */
  apiVersion: get<() => string>("/version"),
  /** The version of the product. */
  version: get<() => string>("/admin/version"),
  settings: get<() => JsonObject>("/admin/settings"),
  /** The client asks for it by itself when the server wants one. */
  csrfToken: getWith<(query: { readonly client: string }) => CsrfToken>("/csrf-token"),
};

export const schemas = {
  /** Says whether values fit a JSON schema, and where they do not. */
  validate:
    query<(request: SchemaValidationRequest) => SchemaValidationResult>("/ui/schemas/validate"),
};

export const templates = {
  /** Says by an error what is wrong with a template. */
  validate: query<(template: string | null) => void>("/templates/validate"),
};
