import { type JSX, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/form.tsx";

/** What the server shows in place of a secret; sent back it leaves the secret as it is. */
export const SECRET_MASK = "********";

/** A stored secret is not shown and not edited: it is kept or replaced. */
export function StoredSecretInput({
  props = {},
  label,
  value,
  onValue,
}: {
  readonly props?: object;
  readonly label?: string;
  readonly value: unknown;
  readonly onValue: (value: string | undefined) => void;
}): JSX.Element {
  const [wasStored] = useState(value === SECRET_MASK);
  if (value === SECRET_MASK)
    return (
      <div className="row" style={{ minHeight: 32 }}>
        <span className="tag">stored</span>
        <Button
          {...props}
          small
          aria-label={`Replace ${label ?? "the stored value"}`}
          onClick={() => onValue("")}
        >
          Replace
        </Button>
      </div>
    );
  return (
    <div className="row" style={{ flexWrap: "nowrap" }}>
      <Input
        {...props}
        {...(label !== undefined && { "aria-label": label })}
        type="password"
        autoComplete="new-password"
        value={typeof value === "string" ? value : ""}
        onChange={({ target }) => onValue(target.value)}
      />
      {wasStored && (
        <Button small onClick={() => onValue(SECRET_MASK)}>
          Keep stored value
        </Button>
      )}
    </div>
  );
}
