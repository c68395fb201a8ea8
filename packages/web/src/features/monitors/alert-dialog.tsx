import type { MonitorAlertCreate, MonitorOverview } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { CheckboxField, LabeledField, Select } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { NoticeBox } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";

/** Ways that need no more than an address. */
const BY_ADDRESS = [
  ["slack-webhook", "Slack", "https://hooks.slack.com/services/…"],
  ["ms-teams-webhook", "Microsoft Teams", "https://…"],
  ["discord-webhook", "Discord", "https://discord.com/api/webhooks/…"],
  ["webhook", "Any webhook (JSON)", "https://example.com/in"],
] as const;

const STATUSES = ["down", "degraded", "up"] as const;

/** Makes an automation that tells somebody about this monitor. */
export function AlertDialog({
  monitor,
  onClose,
}: {
  readonly monitor: MonitorOverview;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [way, setWay] = useState<string>("slack-webhook");
  const [url, setUrl] = useState("");
  const [statuses, setStatuses] = useState<readonly (typeof STATUSES)[number][]>(["down", "up"]);
  const ways = useWays();
  const byAddress = ways.types.find(([slug]) => slug === way);
  const save = async () => {
    await api.automations.putMonitorAlert({
      monitor_id: monitor.id,
      statuses: [...statuses],
      notify: (byAddress
        ? { block_type: way, data: { url } }
        : { block_document_id: way }) as MonitorAlertCreate["notify"],
    });
    await queries.invalidateQueries({ queryKey: ["automations"] });
    toast("good", `Alert created for ${monitor.name}`);
  };
  return (
    <SaveDialog
      title={`Alert for ${monitor.name}`}
      verb="Create alert"
      canSave={statuses.length > 0 && (byAddress === undefined || url !== "")}
      onSave={save}
      onClose={onClose}
    >
      <LabeledField label="Channel">
        {(field) => <Select {...field} value={way} onValue={setWay} options={ways.options} />}
      </LabeledField>
      {byAddress && (
        <TextField
          label="Address"
          hint="Stored encrypted; it is not shown again."
          type="url"
          placeholder={byAddress[2]}
          value={url}
          onText={setUrl}
        />
      )}
      <div className="row" role="group" aria-label="Send an alert">
        {STATUSES.map((status) => (
          <CheckboxField
            key={status}
            label={`when it is ${status}`}
            checked={statuses.includes(status)}
            onChange={({ target }) =>
              setStatuses(
                target.checked ? [...statuses, status] : statuses.filter((one) => one !== status),
              )
            }
          />
        ))}
      </div>
      {ways.error && <NoticeBox kind="error">{errorText(ways.error)}</NoticeBox>}
    </SaveDialog>
  );
}

/** The blocks that can notify already, and the types that are quickly made. */
function useWays() {
  const blocks = useQuery({
    queryKey: ["blocks", "notify"],
    queryFn: ({ signal }) =>
      api.blockDocuments.list(
        {
          block_schemas: { block_capabilities: { all_: ["notify"] } },
          limit: 100,
          include_data: false,
        },
        { signal },
      ),
  });
  const types = useQuery({
    queryKey: ["blocks", "notify-types"],
    staleTime: 60_000,
    queryFn: ({ signal }) => api.blockTypes.list({ limit: 200 }, { signal }),
  });
  const slugs = new Set(types.data?.map(({ slug }) => slug));
  const known = BY_ADDRESS.filter(([slug]) => types.data === undefined || slugs.has(slug));
  const named = (blocks.data ?? []).filter(({ is_anonymous }) => !is_anonymous);
  return {
    types: known,
    error: blocks.error ?? types.error,
    options: [
      ...known.map(([slug, words]) => [slug, `${words} URL`] as const),
      ...named.map(({ id, name }) => [id, `Block ${name ?? id}`] as const),
    ],
  };
}
