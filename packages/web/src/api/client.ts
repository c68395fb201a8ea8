import { createClient } from "@orchestrator/client";

/** The server that this page came from. */
export const api = createClient({ url: `${location.origin}/api` });
