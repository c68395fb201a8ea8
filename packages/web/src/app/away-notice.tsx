import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useEffect, useRef } from "react";
import { useAwaySince } from "../api/presence.ts";
import { timeLabel } from "../lib/time.ts";
import { Icon } from "../ui/icons.tsx";
import { toast } from "../ui/toasts.tsx";

/** Says that what is shown may be old, and asks for all of it again when the server is back. */
export function AwayNotice(): JSX.Element | null {
  const since = useAwaySince();
  const queries = useQueryClient();
  const wasAway = useRef(false);
  useEffect(() => {
    if (since === undefined && wasAway.current) {
      void queries.invalidateQueries();
      toast("good", "Connected to the server again");
    }
    wasAway.current = since !== undefined;
  }, [since, queries]);
  if (since === undefined) return null;
  return (
    <div className="away" role="alert">
      <Icon name="incident" />
      <span>
        No answer from the server since {timeLabel(since)}. This page may be out of date; it keeps
        retrying.
      </span>
    </div>
  );
}
