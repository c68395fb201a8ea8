import type { JSX, ReactNode } from "react";
import { durationLabel } from "../../lib/time.ts";
import { Input, LabeledField } from "../../ui/form.tsx";

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
  const words = typeof seconds === "number" && seconds >= 60 ? ` (${durationLabel(seconds)})` : "";
  return (
    <LabeledField label={`${label}, in seconds${words}`} hint={hint}>
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
    </LabeledField>
  );
}
