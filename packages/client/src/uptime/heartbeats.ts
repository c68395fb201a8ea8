import type { HeartbeatAnswer, Static } from "@orchestrator/contract";
import { get, trigger } from "../transport/operation.ts";

type Answer = Static<typeof HeartbeatAnswer>;

/** What a watched job says of itself; the token is its credential. */
export const heartbeats = {
  /** Says that all is well. */
  send: trigger<(token: string) => Answer>("/heartbeat/{token}"),
  /** The same by GET. */
  sendByGet: get<(token: string) => Answer>("/heartbeat/{token}"),
  /** Says that it failed. */
  fail: trigger<(token: string) => Answer>("/heartbeat/{token}/fail"),
  /** The same by GET. */
  failByGet: get<(token: string) => Answer>("/heartbeat/{token}/fail"),
};
