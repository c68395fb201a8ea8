import { type JSX, type ReactNode, useRef } from "react";
import { useOverflow } from "./use-overflow.ts";

/**
 * What may be larger than the room for it. Only where it is does Tab stop at it: elsewhere there is
 * nothing to scroll.
 */
export function ScrollBox({
  as: Box,
  label,
  className,
  children,
}: {
  readonly as: "div" | "pre";
  /** What it holds, for those who do not see it. */
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}): JSX.Element {
  const box = useRef<HTMLDivElement & HTMLPreElement>(null);
  // A group and no region: a page may show many, and its landmarks are to stay few.
  const stop = { tabIndex: 0, role: "group", "aria-label": label };
  return (
    <Box ref={box} className={className} {...(useOverflow(box, children) && stop)}>
      {children}
    </Box>
  );
}
