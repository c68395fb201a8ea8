import type { CheckType } from "@orchestrator/contract";
import type { Check } from "./check.ts";
import { dns } from "./dns.ts";
import { heartbeat } from "./heartbeat.ts";
import { http } from "./http.ts";
import { instance } from "./instance.ts";
import { ping } from "./ping.ts";
import { tcp } from "./tcp.ts";
import { tls } from "./tls.ts";

/** Every check there is. */
export const CHECKS: { readonly [Type in CheckType]: Check<Type> } = {
  http,
  instance,
  tcp,
  dns,
  tls,
  ping,
  heartbeat,
};
