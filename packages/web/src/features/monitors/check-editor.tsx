import type { CheckConfig, CheckField, CheckKind } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Card } from "../../ui/surface.tsx";
import { CheckFieldInput } from "./check-field-input.tsx";
import { iconOf } from "./check-kinds.ts";

/** The options of one check of the pipeline. */
export function CheckEditor({
  kind,
  check,
  place,
  onChange,
  onRemove,
}: {
  readonly kind: CheckKind;
  readonly check: CheckConfig;
  /** From 1; a monitor's only check needs no number. */
  readonly place: number | undefined;
  readonly onChange: (check: CheckConfig) => void;
  readonly onRemove: (() => void) | undefined;
}): JSX.Element {
  const { title, fields } = kind;
  const set = (key: string, value: unknown) => {
    const { type, [key]: _, ...rest } = check;
    onChange({ type, ...rest, ...(value !== undefined && { [key]: value }) });
  };
  const input = (field: CheckField) => (
    <CheckFieldInput
      key={field.key}
      kind={kind}
      field={field}
      value={check[field.key]}
      onValue={(value) => set(field.key, value)}
    />
  );
  const rare = fields.filter(({ rare: isRare }) => isRare);
  // Only at first: it must not close while somebody empties a field in it.
  const [hadRare] = useState(() =>
    rare.some(({ key }) => check[key] !== undefined && key !== "retries"),
  );
  return (
    <Card
      title={
        <span className="row">
          <Icon name={iconOf(kind)} />
          {place === undefined ? title : `${place}. ${title}`}
        </span>
      }
      actions={
        onRemove && (
          <IconButton small icon="trash" label={`Remove check ${place ?? ""}`} onClick={onRemove} />
        )
      }
    >
      <div className="stack">
        <div className="grid">{fields.filter(({ rare: isRare }) => !isRare).map(input)}</div>
        {rare.length > 0 && (
          <details open={hadRare}>
            <summary className="soft">More options</summary>
            <div className="grid" style={{ marginTop: 12 }}>
              {rare.map(input)}
            </div>
          </details>
        )}
      </div>
    </Card>
  );
}
