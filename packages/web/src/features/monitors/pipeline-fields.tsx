import type { CheckConfig } from "@orchestrator/contract";
import type { JSX } from "react";
import { Select } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { CheckEditor } from "./check-editor.tsx";
import { CHECK_FORMS, CHECK_TYPES_SHOWN } from "./check-forms.ts";

/** How the target is looked at: the first check by its card, more of them behind it. */
export function PipelineFields({
  pipeline,
  onChange,
}: {
  readonly pipeline: readonly CheckConfig[];
  readonly onChange: (pipeline: readonly CheckConfig[]) => void;
}): JSX.Element {
  const [first] = pipeline;
  const isOne = pipeline.length === 1;
  return (
    <>
      {isOne && (
        <div className="types" role="group" aria-label="Type of the check">
          {CHECK_TYPES_SHOWN.map((type) => {
            const { title, about, icon, prefill } = CHECK_FORMS[type];
            return (
              <button
                key={type}
                type="button"
                className="type"
                aria-pressed={first?.type === type}
                onClick={() => first?.type !== type && onChange([prefill])}
              >
                <strong>
                  <Icon name={icon} size={14} /> {title}
                </strong>
                <span>{about}</span>
              </button>
            );
          })}
        </div>
      )}
      {pipeline.map((check, i) => (
        <CheckEditor
          key={`${i} ${check.type} ${pipeline.length}`}
          check={check}
          place={isOne ? undefined : i + 1}
          onChange={(changed) => onChange(pipeline.map((one, at) => (at === i ? changed : one)))}
          onRemove={isOne ? undefined : () => onChange(pipeline.filter((_, at) => at !== i))}
        />
      ))}
      <div style={{ width: 240 }}>
        <Select
          aria-label="Add another check"
          value=""
          options={[
            ["", "Add another check"] as const,
            ...CHECK_TYPES_SHOWN.map((type) => [type, CHECK_FORMS[type].title] as const),
          ]}
          onValue={(type) => {
            if (type !== "") onChange([...pipeline, CHECK_FORMS[type].prefill]);
          }}
        />
      </div>
    </>
  );
}
