// What the kinds of workers for Google's cloud have in common.

import { anyObject, blockOf, defined, objectOf, optional, text } from "./properties.ts";

export const GCP_CREDENTIALS = {
  GcpCredentials: blockOf({
    slug: "gcp-credentials",
    properties: {
      service_account_file: optional(
        text("The account's key, as a file where the worker runs.", { format: "path" }),
      ),
      service_account_info: optional(anyObject("What stands in that file.")),
      project: optional(text("The project to work in.")),
    },
    secretFields: ["service_account_info.*"],
  }),
};

/** Which version of which secret of Google's secret manager. */
export const SECRET_KEY_SELECTOR = {
  SecretKeySelector: objectOf({
    properties: { secret: text(), version: text(undefined, { examples: ["latest"] }) },
    required: ["secret", "version"],
  }),
};

export const CREDENTIALS_ABOUT =
  "What the worker signs in with; what it finds on its machine when left out.";

/** Where the flow run finds what it signs in to this server with. */
export const API_SECRETS = {
  prefect_api_key_secret: optional(
    defined(
      "SecretKeySelector",
      "A secret with the API key for the flow run; the worker's key when left out.",
    ),
  ),
  prefect_api_auth_string_secret: optional(
    defined(
      "SecretKeySelector",
      "A secret with the auth string for the flow run; the worker's when left out.",
    ),
  ),
};

export const MEMORY = text("Such as `512Mi` or `2Gi`; also in M and G.", {
  pattern: "^\\d+(?:G|Gi|M|Mi)$",
  examples: ["512Mi"],
});

export const SERVICE_ACCOUNT_ABOUT =
  "Whom the job acts as; the default account of the project when left out.";
