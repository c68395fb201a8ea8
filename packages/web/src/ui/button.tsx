import "./button.css";
import type { ComponentProps, JSX } from "react";
import { type UiRight, useRefusal } from "../api/rights.ts";
import { Icon, type IconName } from "./icons.tsx";

/** What pressing it takes: whoever may not do that can only read why. */
interface Needing {
  readonly needs?: UiRight;
}

interface Look {
  readonly kind?: "primary" | "danger" | "plain";
  readonly small?: boolean;
  readonly icon?: IconName;
}

export function buttonClass({ kind, small = false }: Look): string {
  return ["button", kind && `button--${kind}`, small && "button--small"].filter(Boolean).join(" ");
}

/** While `busy` it cannot be pressed again. */
export function Button({
  kind,
  small,
  icon,
  busy = false,
  needs,
  children,
  ...rest
}: ComponentProps<"button"> & Look & Needing & { readonly busy?: boolean }): JSX.Element {
  const refusal = useRefusal(needs);
  const look = { ...(kind && { kind }), ...(small && { small }) };
  return (
    <button
      type="button"
      className={buttonClass(look)}
      {...rest}
      {...(refusal !== undefined && { title: refusal })}
      disabled={rest.disabled || busy || refusal !== undefined}
      aria-busy={busy}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button that is only a picture: its label is read out and shown on hover. */
export function IconButton({
  icon,
  label,
  kind = "plain",
  small = false,
  needs,
  ...rest
}: Omit<ComponentProps<"button">, "children"> &
  Look &
  Needing & { readonly icon: IconName; readonly label: string }): JSX.Element {
  const refusal = useRefusal(needs);
  return (
    <button
      type="button"
      className={`${buttonClass({ kind, small })} button--square`}
      aria-label={label}
      title={refusal ?? label}
      {...rest}
      disabled={rest.disabled || refusal !== undefined}
    >
      <Icon name={icon} />
    </button>
  );
}
