import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { CHART_STATE_TYPES, stateWord } from "../../charts/states.ts";
import { shortly } from "../../lib/time.ts";
import { splitNames } from "../../lib/words.ts";
import { Input, Select } from "../../ui/form.tsx";
import { Chip, NamePicker } from "../../ui/name-picker.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { chosenNames, DEPLOYMENTS, FLOWS, POOL_NAMES } from "./name-sources.ts";
import type { RunsSearch } from "./runs-search.ts";
import { SavedViews } from "./saved-views.tsx";

/** All that the list can be narrowed to; each of them stands in the address. */
export function RunFilters({
  search,
  onChange,
}: {
  readonly search: RunsSearch;
  readonly onChange: (change: Partial<RunsSearch>) => void;
}): JSX.Element {
  const { flow = "", deployment = "", pool = "", states = [], from, to } = search;
  const names = useQuery(chosenNames({ flow, deployment }));
  const chosen = names.data ?? (names.error ? { flow, deployment } : undefined);
  return (
    <search className="row filters">
      <SearchBox
        label="Run name"
        value={search.text ?? ""}
        onValue={(text) => onChange({ text })}
      />
      {states.length > 1 ? (
        <Chip
          text={`State: ${states.map(stateWord).join(", ")}`}
          onRemove={() => onChange({ states: [] })}
        />
      ) : (
        <div className="name-picker">
          <Select
            aria-label="State"
            value={states[0] ?? ""}
            onValue={(state) => onChange({ states: state === "" ? [] : [state] })}
            options={[
              ["", "All states"],
              ["LATE", "Late"],
              ...CHART_STATE_TYPES.toReversed().map((type) => [type, stateWord(type)] as const),
            ]}
          />
        </div>
      )}
      <NamePicker
        label="Flow"
        source={FLOWS}
        value={flow}
        name={chosen?.flow}
        onValue={(id) => onChange({ flow: id })}
      />
      <NamePicker
        label="Deployment"
        source={DEPLOYMENTS}
        value={deployment}
        name={chosen?.deployment}
        onValue={(id) => onChange({ deployment: id })}
      />
      <NamePicker
        label="Work pool"
        source={POOL_NAMES}
        value={pool}
        name={pool}
        onValue={(name) => onChange({ pool: name })}
      />
      <TagsInput tags={search.tags ?? []} onTags={(tags) => onChange({ tags })} />
      {from && to && (
        <Chip
          text={`${shortly(from)} to ${shortly(to)}`}
          onRemove={() => onChange({ from: "", to: "" })}
        />
      )}
      <SavedViews search={search} />
    </search>
  );
}

function TagsInput({
  tags,
  onTags,
}: {
  readonly tags: readonly string[];
  readonly onTags: (tags: readonly string[]) => void;
}): JSX.Element {
  const shown = tags.join(", ");
  return (
    <div className="name-picker">
      <Input
        key={shown}
        aria-label="Tags, separated by commas"
        placeholder="Tags: a, b"
        defaultValue={shown}
        onBlur={({ target }) => {
          if (target.value !== shown) onTags(splitNames(target.value));
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") onTags(splitNames(currentTarget.value));
        }}
      />
    </div>
  );
}
