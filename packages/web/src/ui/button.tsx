import "./button.css";
import type { ComponentProps, JSX } from "react";
import { Icon, type IconName } from "./icons.tsx";

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
  children,
  ...rest
}: ComponentProps<"button"> & Look & { readonly busy?: boolean }): JSX.Element {
  const look = { ...(kind && { kind }), ...(small && { small }) };
  return (
    <button
      type="button"
      className={buttonClass(look)}
      {...rest}
      disabled={rest.disabled || busy}
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
  ...rest
}: Omit<ComponentProps<"button">, "children"> &
  Look & { readonly icon: IconName; readonly label: string }): JSX.Element {
  return (
    <button
      type="button"
      className={`${buttonClass({ kind, small })} button--square`}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}
