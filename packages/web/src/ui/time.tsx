import { type JSX, useSyncExternalStore } from "react";
import { exactly, timeAgoLabel } from "../lib/time.ts";

const TICK_MS = 10_000;
let now = Date.now();
const listeners = new Set<() => void>();

/** One clock for all times on the page; it stands still while nobody looks. */
function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
setInterval(() => {
  if (document.hidden || listeners.size === 0) return;
  now = Date.now();
  for (const listener of listeners) listener();
}, TICK_MS);

/** "5 min. ago", with the exact moment on hover. */
export function Ago({ time }: { readonly time: string | null | undefined }): JSX.Element {
  const current = useSyncExternalStore(listen, () => now);
  if (!time) return <span className="faint">–</span>;
  return (
    <time dateTime={time} title={exactly(time)} className="nowrap">
      {timeAgoLabel(time, nowFor(time, current))}
    </time>
  );
}

/** What happened since the clock last moved is not yet to come. */
function nowFor(time: string, current: number): number {
  const isOld = current < Date.now() - TICK_MS;
  return isOld || Date.parse(time) > current ? Date.now() : current;
}
