import { NotShown } from "../../ui/not-shown.tsx";
import "./monitor-form.css";
import { ApiError } from "@orchestrator/client";
import type { CheckKind, Monitor } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { exactUptime, uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { navigate } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Button } from "../../ui/button.tsx";
import { Input, LabeledField } from "../../ui/form.tsx";
import { Card, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { TagsField } from "../../ui/tags-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { UptimeGate } from "../login/uptime-gate.tsx";
import { checkKinds } from "./check-kinds.ts";
import {
  isTight,
  type MonitorFormDraft,
  monitorDraftOf,
  monitorNameFor,
  monitorOf,
  newDraft,
} from "./monitor-draft.ts";
import { PipelineFields } from "./pipeline-fields.tsx";
import { PlanFields } from "./plan-fields.tsx";
import { TrialCard } from "./trial-card.tsx";

const LIST = { label: "Monitors", to: "/monitors" };

export function NewMonitorPage(): JSX.Element {
  return (
    <UptimeGate>
      <New />
    </UptimeGate>
  );
}

export function EditMonitorPage({ params }: PageProps): JSX.Element {
  return (
    <UptimeGate>
      <Edit id={params["id"] ?? ""} />
    </UptimeGate>
  );
}

function New(): JSX.Element {
  const { data: kinds, error } = useQuery(checkKinds);
  return kinds ? <MonitorForm kinds={kinds} /> : <Waiting title="New monitor" error={error} />;
}

function Edit({ id }: { readonly id: string }): JSX.Element {
  const { data: kinds, error: kindsError } = useQuery(checkKinds);
  const { data, error } = useQuery({
    queryKey: ["monitors", "edited", id],
    // What is being edited must not change underneath.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => exactUptime.monitors.read(id, { signal }),
  });
  if (data && kinds) return <MonitorForm kinds={kinds} monitor={data} />;
  return <Waiting title="Edit monitor" error={error ?? kindsError} />;
}

function Waiting({
  title,
  error,
}: {
  readonly title: string;
  readonly error: Error | null;
}): JSX.Element {
  return (
    <PageFrame title={title} crumbs={[LIST]}>
      <NotShown error={error} what="monitor" list={LIST} />
    </PageFrame>
  );
}

function MonitorForm({
  kinds,
  monitor,
}: {
  readonly kinds: readonly CheckKind[];
  readonly monitor?: Monitor;
}): JSX.Element {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<MonitorFormDraft>(() =>
    monitor ? monitorDraftOf(monitor) : newDraft(kinds),
  );
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const set = (some: Partial<MonitorFormDraft>) => setDraft((before) => ({ ...before, ...some }));
  const problemAt = problemsOf(error);
  const save = async () => {
    setBusy(true);
    try {
      const wanted = monitorOf(draft);
      const saved = monitor
        ? await uptime.monitors.update(monitor.id, wanted)
        : await uptime.monitors.create(wanted);
      await queries.invalidateQueries({ queryKey: ["monitors"], refetchType: "none" });
      toast("good", monitor ? `Saved ${saved.name}` : `Created ${saved.name}`);
      navigate(`/monitors/${saved.id}`);
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  return (
    <PageFrame
      title={monitor ? `Edit ${monitor.name}` : "New monitor"}
      crumbs={monitor ? [LIST, { label: monitor.name, to: `/monitors/${monitor.id}` }] : [LIST]}
    >
      <form
        className="monitor-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="stack">
          <Card>
            <div className="stack">
              <LabeledField
                label="Address"
                hint="A host name is enough: https:// is added."
                error={problemAt("url")}
              >
                {(field) => (
                  <Input
                    {...field}
                    autoFocus={!monitor}
                    inputMode="url"
                    autoComplete="off"
                    placeholder="https://shop.example.com"
                    value={draft.url}
                    onChange={({ target }) => set({ url: target.value })}
                  />
                )}
              </LabeledField>
              <div className="grid">
                <LabeledField label="Name" error={problemAt("name")}>
                  {(field) => (
                    <Input
                      {...field}
                      placeholder={monitorNameFor(draft.url) || "Web shop"}
                      value={draft.name}
                      onChange={({ target }) => set({ name: target.value })}
                    />
                  )}
                </LabeledField>
                <TagsField
                  placeholder="web, prod"
                  error={problemAt("tags")}
                  tags={draft.tags}
                  onTags={(tags) => set({ tags })}
                />
              </div>
            </div>
          </Card>
          <PipelineFields
            kinds={kinds}
            pipeline={draft.pipeline}
            onChange={(pipeline) => set({ pipeline })}
          />
          <PlanFields
            draft={draft}
            isTight={isTight(draft, kinds)}
            ownId={monitor?.id}
            onChange={set}
            problem={problemAt("interval") ?? problemAt("schedule") ?? problemAt("timezone")}
          />
        </div>
        <div className="monitor-form__side">
          <TrialCard draft={draft} monitorId={monitor?.id} />
          {error !== undefined && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
          <div className="row">
            <Button kind="primary" type="submit" busy={busy} disabled={draft.url.trim() === ""}>
              {monitor ? "Save" : "Create monitor"}
            </Button>
            <Button onClick={() => navigate(monitor ? `/monitors/${monitor.id}` : "/monitors")}>
              Cancel
            </Button>
          </div>
        </div>
      </form>
    </PageFrame>
  );
}

/** What the server found wrong with a field. */
function problemsOf(error: unknown): (field: string) => string | undefined {
  const problems = error instanceof ApiError ? error.problems : [];
  return (field) => problems.find(({ where }) => where.split(".").includes(field))?.what;
}
