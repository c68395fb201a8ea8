import type { JSX, ReactNode } from "react";
import { type UiRight, useRefusal } from "../api/rights.ts";
import { PageLink } from "../navigation/link.tsx";
import { Button, buttonClass } from "./button.tsx";
import { Icon, type IconName } from "./icons.tsx";

/** A link that looks like a button. Whoever may not do what it leads to can only read why. */
export function LinkButton({
  to,
  needs,
  kind,
  icon,
  children,
}: {
  readonly to: string;
  readonly needs: UiRight;
  readonly kind?: "primary";
  readonly icon?: IconName;
  readonly children: ReactNode;
}): JSX.Element {
  const look = { ...(kind && { kind }), ...(icon && { icon }) };
  if (useRefusal(needs) !== undefined)
    return (
      <Button {...look} needs={needs}>
        {children}
      </Button>
    );
  return (
    <PageLink to={to} className={buttonClass(look)}>
      {icon && <Icon name={icon} />}
      {children}
    </PageLink>
  );
}
