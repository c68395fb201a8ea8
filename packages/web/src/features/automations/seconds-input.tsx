import type { JSX, ReactNode } from "react";
import { lasting } from "../../lib/time.ts";
import { Field, Input } from "../../ui/form.tsx";

/** A span in seconds, said again in larger units. */
export function SecondsInput({
  label,
  hint,
  seconds,
  onSeconds,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly seconds: number | null | undefined;
  readonly onSeconds: (seconds: number | null) => void;
}): JSX.Element {
  const words = typeof seconds === "number" && seconds >= 60 ? ` (${lasting(seconds)})` : "";
  return (
    <Field label={`${label}, in seconds${words}`} hint={hint}>
      {(field) => (
        <Input
          {...field}
          type="number"
          min={0}
          step="any"
          value={seconds ?? ""}
          onChange={({ target }) => onSeconds(target.value === "" ? null : target.valueAsNumber)}
        />
      )}
    </Field>
  );
}
