import type { CheckConfig, CheckKind } from "@orchestrator/contract";
import type { JSX } from "react";
import { Select } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { CheckEditor } from "./check-editor.tsx";
import { checkKindOf, iconOf, prefillOf } from "./check-kinds.ts";

/** How the target is looked at: the first check by its card, more of them behind it. */
export function PipelineFields({
  kinds,
  pipeline,
  onChange,
}: {
  readonly kinds: readonly CheckKind[];
  readonly pipeline: readonly CheckConfig[];
  readonly onChange: (pipeline: readonly CheckConfig[]) => void;
}): JSX.Element {
  const [first] = pipeline;
  const isOne = pipeline.length === 1;
  return (
    <>
      {isOne && (
        <div className="types" role="group" aria-label="Check type">
          {kinds.map((kind) => (
            <button
              key={kind.type}
              type="button"
              className="type"
              aria-pressed={first?.type === kind.type}
              onClick={() => first?.type !== kind.type && onChange([prefillOf(kind)])}
            >
              <strong>
                <Icon name={iconOf(kind)} size={14} /> {kind.title}
              </strong>
              <span>{kind.about}</span>
            </button>
          ))}
        </div>
      )}
      {pipeline.map((check, i) => (
        <CheckEditor
          key={`${i} ${check.type} ${pipeline.length}`}
          kind={checkKindOf(kinds, check.type)}
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
            ...kinds.map(({ type, title }) => [type, title] as const),
          ]}
          onValue={(type) => {
            if (type !== "") onChange([...pipeline, prefillOf(checkKindOf(kinds, type))]);
          }}
        />
      </div>
    </>
  );
}
