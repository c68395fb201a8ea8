import { NotShown } from "../../ui/not-shown.tsx";
import "./automations.css";
import type { Action, Automation } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { navigate, useSearch } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Tabs } from "../../ui/form.tsx";
import { Json } from "../../ui/json.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Card, Empty, Facts, NoticeBox, PageFrame, Skeleton, TagChips } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import { deliveriesPage } from "../deliveries/deliveries-queries.ts";
import { DeliveriesTable } from "../deliveries/deliveries-table.tsx";
import { ACTION_WORDS } from "./action-kinds.ts";
import { ActionTarget } from "./action-target.tsx";
import { automationOf, traceOf } from "./automations-queries.ts";
import { Doings } from "./doings.tsx";
import { automationDraftOf, type TriggerDraft } from "./draft.ts";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { Evaluations } from "./evaluations.tsx";
import { type TargetNames, useTargetNames } from "./target-names.ts";
import { ThrottleLine } from "./throttle-line.tsx";
import { triggerWords } from "./trigger-words.ts";

const TABS = [
  ["done", "Activity"],
  ["trace", "Trace"],
  ["deliveries", "Messages"],
  ["json", "JSON"],
] as const;
type Tab = (typeof TABS)[number][0];

const readSearch = (search: URLSearchParams): { readonly tab?: Tab } => {
  const tab = TABS.find(([key]) => key === search.get("tab"))?.[0];
  return { ...(tab && { tab }) };
};

const LIST = { label: "Automations", to: "/automations" };
const CRUMBS = [LIST];

export function AutomationPage({ params }: PageProps): JSX.Element {
  const { data, error } = useQuery(automationOf(params["id"] ?? ""));
  if (data) return <Loaded automation={data} />;
  return (
    <PageFrame title="Automation" crumbs={CRUMBS}>
      <NotShown error={error} what="automation" list={LIST} />
    </PageFrame>
  );
}

function Loaded({ automation }: { readonly automation: Automation }): JSX.Element {
  const { id, name, description, tags, updated } = automation;
  const [{ tab = "done" }, setSearch] = useSearch(readSearch);
  const [deleting, setDeleting] = useState(false);
  const queries = useQueryClient();
  const names = useTargetNames([...automation.actions, ...automation.actions_on_trigger]);
  return (
    <PageFrame
      title={name}
      about={description}
      crumbs={CRUMBS}
      actions={
        <>
          <EnabledSwitch automation={automation} />
          <LinkButton to={`/automations/${id}/edit`} needs="write" icon="edit">
            Edit
          </LinkButton>
          <Button needs="write" kind="danger" icon="trash" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </>
      }
    >
      <Card>
        <Facts
          items={[
            ["When", triggerWords(automation.trigger as TriggerDraft)],
            ["Then", <ActionList actions={automation.actions} names={names} />],
            ...(automation.actions_on_trigger.length > 0
              ? [
                  [
                    "And",
                    <ActionList actions={automation.actions_on_trigger} names={names} />,
                  ] as const,
                ]
              : []),
            ...(tags.length > 0 ? [["Tags", <TagChips tags={tags} />] as const] : []),
            ["Updated", <Ago time={updated} />],
          ]}
        />
      </Card>
      <ThrottleLine id={id} />
      <Tabs
        label="About this automation"
        tabs={TABS}
        value={tab}
        onValue={(next) => setSearch({ tab: next })}
      />
      {tab === "done" && <Doings id={id} />}
      {tab === "trace" && <Trace id={id} />}
      {tab === "deliveries" && <Sent id={id} />}
      {tab === "json" && (
        <Card>
          <Json label="The automation" value={automationDraftOf(automation)} />
        </Card>
      )}
      {deleting && (
        <Confirm
          title={`Delete ${name}?`}
          verb="Delete automation"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.automations.delete(id);
            await queries.invalidateQueries({ queryKey: ["automations", "named"] });
            toast("good", `${name} is deleted`);
            navigate("/automations");
          }}
        >
          It will no longer react to events. To stop it for a while, turn it off instead.
        </Confirm>
      )}
    </PageFrame>
  );
}

function ActionList({
  actions,
  names,
}: {
  readonly actions: readonly Action[];
  readonly names: TargetNames;
}): JSX.Element {
  if (actions.length === 0) return <span className="soft">Nothing</span>;
  return (
    <ol className="actions">
      {actions.map((action, i) => (
        <li key={i}>
          {ACTION_WORDS[action.type]} <ActionTarget action={action} names={names} />
        </li>
      ))}
    </ol>
  );
}

function Trace({ id }: { readonly id: string }): JSX.Element {
  const { data, error } = useQuery(traceOf(id));
  if (error) return <NoticeBox kind="error">{errorText(error)}</NoticeBox>;
  if (data === undefined) return <Skeleton lines={6} />;
  const { firings, near_misses } = data;
  return (
    <div className="stack">
      <Card flush title="Firings">
        {firings.length === 0 ? (
          <Empty icon="automation" title="No recent firings" />
        ) : (
          <Evaluations entries={firings} />
        )}
      </Card>
      <Card flush title="Near misses">
        {near_misses.length === 0 ? (
          <Empty icon="check" title="No near misses">
            <p>
              Events with other labels are not recorded here;{" "}
              <PageLink to={`/automations/${id}/edit`}>simulate</PageLink> shows them.
            </p>
          </Empty>
        ) : (
          <Evaluations entries={near_misses} />
        )}
      </Card>
    </div>
  );
}

function Sent({ id }: { readonly id: string }): JSX.Element {
  const { data, error } = useQuery(deliveriesPage({ automation: id, page: 1 }));
  return (
    <Card flush actions={<PageLink to="/deliveries">All messages</PageLink>} title="Messages">
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <DeliveriesTable rows={data?.rows} empty={<Empty icon="up" title="No messages yet" />} />
    </Card>
  );
}
