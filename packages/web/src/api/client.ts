import { createClient, type Retry } from "@orchestrator/client";
import { floatsOnlyIn, readJson, writeJson } from "@orchestrator/exact-json";
import { noticeFailure } from "./presence.ts";
import { access } from "./sign-in.ts";
import { inWorkspace } from "./workspace.ts";

const options = {
  url: `${location.origin}/api${inWorkspace("")}`,
  onRetry: ({ error }: Retry) => noticeFailure(error),
  ...access,
};

/**
 * The server that this page came from. What was typed goes there with every digit; answers are
 * plain numbers, as pages calculate with them.
 */
export const api = createClient({ ...options, json: { read: JSON.parse, write: writeJson } });

/** Members that hold any JSON, which is not ours to alter. */
export const FREE: ReadonlySet<string> = new Set([
  "base_job_template",
  "data",
  "job_variables",
  "parameters",
  "payload",
  "value",
]);

export const UI_JSON_FORMAT = {
  read: (text: string): unknown => floatsOnlyIn(FREE, readJson(text)),
  write: writeJson,
};

/** The same for values that people gave: they are shown, and sent back, as they were written. */
export const exactApi = createClient({ ...options, json: UI_JSON_FORMAT });
