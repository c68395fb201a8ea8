import { readWrittenJson, writeJson } from "@orchestrator/exact-json";
import { type JSX, useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { Input, Select } from "../../ui/form.tsx";

const SEVERITIES = [
  ["fail", "else down"],
  ["warn", "else degraded"],
] as const;

interface Row {
  readonly path: string;
  readonly comparison: string;
  readonly text: string;
  readonly severity: "fail" | "warn";
}

/** As it stands in the check; without a comparison `==` is meant, without a severity `fail`. */
interface Expectation extends Pick<Row, "path">, Partial<Pick<Row, "comparison" | "severity">> {
  readonly value?: unknown;
}

/** Values in the JSON of an answer: where they stand, and what they must be. */
export function ExpectationRows({
  label,
  comparisons,
  value,
  onValue,
}: {
  readonly label: string;
  /** Those that the server knows. */
  readonly comparisons: readonly string[];
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
}): JSX.Element {
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(value));
  const change = (next: readonly Row[]) => {
    setRows(next);
    const whole = next.filter(({ path }) => path.trim() !== "").map(expectationOf);
    onValue(whole.length === 0 ? undefined : whole);
  };
  const set = (at: number, some: Partial<Row>) =>
    change(rows.map((row, i) => (i === at ? { ...row, ...some } : row)));
  return (
    <fieldset className="field rows" style={{ gridColumn: "1 / -1" }}>
      <legend className="field__label">{label}</legend>
      {rows.map(({ path, comparison, text, severity }, i) => (
        <div key={i} className="rows__row rows__row--wide">
          <Input
            aria-label={`Path of expectation ${i + 1}`}
            placeholder="checks[0].state"
            value={path}
            onChange={({ target }) => set(i, { path: target.value })}
          />
          <Select
            aria-label={`Comparison of expectation ${i + 1}`}
            value={comparison}
            options={comparisons.map((one) => [one, one] as const)}
            onValue={(next) => set(i, { comparison: next })}
          />
          <Input
            aria-label={`Value of expectation ${i + 1}`}
            placeholder={isUnary(comparison) ? "" : "ok, 3, true"}
            disabled={isUnary(comparison)}
            value={isUnary(comparison) ? "" : text}
            onChange={({ target }) => set(i, { text: target.value })}
          />
          <Select
            aria-label={`Severity of expectation ${i + 1}`}
            value={severity}
            options={SEVERITIES}
            onValue={(next) => set(i, { severity: next })}
          />
          <IconButton
            small
            icon="cross"
            label={`Remove expectation ${i + 1}`}
            onClick={() => change(rows.filter((_, other) => other !== i))}
          />
        </div>
      ))}
      <div>
        <Button
          small
          icon="plus"
          onClick={() =>
            setRows([...rows, { path: "", comparison: "==", text: "", severity: "fail" }])
          }
        >
          Add expectation
        </Button>
      </div>
    </fieldset>
  );
}

const isUnary = (comparison: string): boolean => comparison === "exists" || comparison === "absent";

function rowsOf(value: unknown): Row[] {
  return ((value ?? []) as readonly Expectation[]).map(
    ({ path, comparison = "==", value: wanted, severity = "fail" }) => ({
      path,
      comparison,
      severity,
      text: wanted === undefined ? "" : textOf(wanted),
    }),
  );
}

function expectationOf({ path, comparison, text, severity }: Row): Expectation {
  return {
    path: path.trim(),
    comparison,
    ...(!isUnary(comparison) && { value: valueOf(text) }),
    ...(severity === "warn" && { severity }),
  };
}

/** A text that would be read as something else is written in quotes. */
const textOf = (value: unknown): string =>
  typeof value === "string" && typeof valueOf(value) === "string" ? value : writeJson(value);

function valueOf(text: string): unknown {
  try {
    return readWrittenJson(text);
  } catch {
    return text;
  }
}
