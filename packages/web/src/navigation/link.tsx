import type { ComponentProps, JSX, MouseEvent } from "react";
import { inWorkspace } from "../api/workspace.ts";
import { navigate } from "./location.ts";
import { preload } from "./preload.ts";

/**
 * An ordinary link that changes pages without loading everything anew. Their code is fetched when
 * somebody is about to go.
 */
export function PageLink({
  to,
  ...rest
}: Omit<ComponentProps<"a">, "href"> & { readonly to: string }): JSX.Element {
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    const isPlain =
      event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isPlain || event.defaultPrevented) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a
      {...rest}
      href={inWorkspace(to)}
      onClick={go}
      onPointerEnter={() => preload(to)}
      onFocus={(event) => {
        preload(to);
        rest.onFocus?.(event);
      }}
    />
  );
}
