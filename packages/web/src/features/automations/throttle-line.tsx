import type { AutomationThrottle } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { counted } from "../../lib/words.ts";
import { NoticeBox } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { traceOf } from "./automations-queries.ts";

const DAY_MS = 86_400_000;

/** What keeps an automation from firing, or did in the last day. */
export function ThrottleLine({ id }: { readonly id: string }): JSX.Element | null {
  const { data } = useQuery(traceOf(id));
  const throttle = data?.throttle;
  if (throttle === undefined) return null;
  const { since, is_active, message } = throttle;
  if (!is_active && !isRecent(throttle)) return null;
  const matches = counted(throttle.matches, "match", "matches");
  if (!is_active)
    return (
      <NoticeBox>
        Throttled <Ago time={since} />: {matches} did not fire. Firing again.
      </NoticeBox>
    );
  return (
    <NoticeBox kind="warn">
      Throttled <Ago time={since} />: {matches} did not fire. {message}
    </NoticeBox>
  );
}

const isRecent = ({ since, until }: AutomationThrottle): boolean =>
  Date.parse(until ?? since) > Date.now() - DAY_MS;
