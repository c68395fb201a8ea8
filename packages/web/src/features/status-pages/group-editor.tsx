import type { PageGroupInput } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { monitorNames } from "../../api/names.ts";
import { IconButton } from "../../ui/button.tsx";
import { Input, LabeledField } from "../../ui/form.tsx";
import { Card } from "../../ui/surface.tsx";
import { TagsField } from "../../ui/tags-field.tsx";
import { MonitorPicker } from "../monitors/monitor-picker.tsx";

/** One group of a page: monitors by name, and all that have certain tags. */
export function GroupEditor({
  group,
  place,
  onChange,
  onRemove,
  onUp,
  onDown,
}: {
  readonly group: PageGroupInput;
  readonly place: number;
  readonly onChange: (group: PageGroupInput) => void;
  readonly onRemove: () => void;
  readonly onUp: (() => void) | undefined;
  readonly onDown: (() => void) | undefined;
}): JSX.Element {
  const { data: names = [] } = useQuery(monitorNames);
  const monitors = group.monitors ?? [];
  return (
    <Card
      title={`Group ${place}`}
      actions={
        <>
          <IconButton
            small
            icon="up"
            label={`Move group ${place} up`}
            disabled={!onUp}
            onClick={onUp}
          />
          <IconButton
            small
            icon="down"
            label={`Move group ${place} down`}
            disabled={!onDown}
            onClick={onDown}
          />
          <IconButton small icon="trash" label={`Remove group ${place}`} onClick={onRemove} />
        </>
      }
    >
      <div className="grid">
        <div className="stack">
          <LabeledField label="Group name">
            {(field) => (
              <Input
                {...field}
                value={group.name}
                onChange={({ target }) => onChange({ ...group, name: target.value })}
              />
            )}
          </LabeledField>
          <TagsField
            label="Monitors with all of these tags"
            tags={group.tags ?? []}
            onTags={(tags) => onChange({ ...group, tags: [...tags] })}
          />
        </div>
        <MonitorPicker
          label="Monitors"
          picked={monitors.map(({ id }) => id)}
          onPick={(ids) =>
            onChange({
              ...group,
              monitors: ids.map((id) => monitors.find((one) => one.id === id) ?? { id }),
            })
          }
        />
        {monitors.length > 0 && (
          <fieldset className="field" style={{ margin: 0, padding: 0, border: 0 }}>
            <legend className="field__label" style={{ padding: 0 }}>
              Display names
            </legend>
            {monitors.map((monitor) => {
              const own = names.find(({ id }) => id === monitor.id)?.name ?? "";
              return (
                <Input
                  key={monitor.id}
                  aria-label={`Display name of ${own}`}
                  placeholder={own}
                  value={monitor.name ?? ""}
                  onChange={({ target }) =>
                    onChange({
                      ...group,
                      monitors: monitors.map((one) =>
                        one.id === monitor.id ? { ...one, name: target.value || null } : one,
                      ),
                    })
                  }
                />
              );
            })}
          </fieldset>
        )}
      </div>
    </Card>
  );
}
