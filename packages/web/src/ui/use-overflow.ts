import { type RefObject, useEffect, useState } from "react";

/**
 * Whether a box has less room than what is in it takes: seen, not guessed, for that depends on the
 * screen as well.
 */
export function useOverflow(box: RefObject<HTMLElement | null>, content: unknown): boolean {
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const seen = box.current;
    if (seen === null) return;
    const look = () =>
      setOverflows(seen.scrollWidth > seen.clientWidth || seen.scrollHeight > seen.clientHeight);
    // It also looks as soon as it begins, which it does anew for other content.
    const watcher = new ResizeObserver(look);
    watcher.observe(seen);
    return () => watcher.disconnect();
  }, [box, content]);
  return overflows;
}
