import type { StatusReport } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { monitorNames } from "../../api/names.ts";
import { errorText } from "../../lib/error-text.ts";
import { LabeledField, Select } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { incidentWords } from "./incident-words.ts";
import { reportableIncidentsQuery } from "./status-page-queries.ts";

export type ReportFacts = Pick<StatusReport, "title" | "impact" | "incident_id">;

const IMPACTS = [
  ["none", "None (note only)"],
  ["degraded", "Degraded"],
  ["down", "Down"],
] as const;

/** What a report is about, which can be changed as long as it is there. */
export function ReportFields({
  facts,
  onFacts,
}: {
  readonly facts: ReportFacts;
  readonly onFacts: (some: Partial<ReportFacts>) => void;
}): JSX.Element {
  return (
    <>
      <TextField
        label="Title"
        autoFocus
        value={facts.title}
        onText={(title) => onFacts({ title })}
      />
      <LabeledField label="Impact">
        {(field) => (
          <Select
            {...field}
            options={IMPACTS}
            value={facts.impact}
            onValue={(impact) => onFacts({ impact })}
          />
        )}
      </LabeledField>
      <IncidentField id={facts.incident_id} onId={(incident_id) => onFacts({ incident_id })} />
    </>
  );
}

function IncidentField({
  id,
  onId,
}: {
  readonly id: string | null;
  readonly onId: (id: string | null) => void;
}): JSX.Element {
  const { data: incidents, error } = useQuery(reportableIncidentsQuery);
  const { data: names } = useQuery(monitorNames);
  const options = (incidents ?? []).map(
    (incident) => [incident.id, incidentWords(incident, names)] as const,
  );
  // One that is too old to be offered is still the one that it is about.
  const isOther = id !== null && !options.some(([one]) => one === id);
  const other = incidents ? "An older incident" : "…";
  return (
    <LabeledField
      label="Related incident"
      hint="Visitors see both as one"
      error={error ? errorText(error) : undefined}
    >
      {(field) => (
        <Select
          {...field}
          options={[["", "None"], ...options, ...(isOther ? [[id, other] as const] : [])]}
          value={id ?? ""}
          onValue={(next) => onId(next === "" ? null : next)}
        />
      )}
    </LabeledField>
  );
}
