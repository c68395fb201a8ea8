import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { PageLink } from "../../navigation/link.tsx";
import { useSearch } from "../../navigation/location.ts";
import { readPagedSearch } from "../../navigation/paged-search.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { Empty, TagChips } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { ACTION_WORDS } from "./action-kinds.ts";
import { automationsNamed, lastFirings } from "./automations-queries.ts";
import type { TriggerDraft } from "./draft.ts";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { triggerWords } from "./trigger-words.ts";

export function AutomationsPage(): JSX.Element {
  const [{ text = "" }, setSearch] = useSearch(readPagedSearch);
  const { data, error } = useQuery(automationsNamed(text));
  const fired = useQuery(lastFirings(data)).data;
  return (
    <ListPage
      title="Automations"
      actions={
        <LinkButton to="/automations/new" needs="write" kind="primary" icon="plus">
          New automation
        </LinkButton>
      }
      search={{ what: "automation", text, onText: (typed) => setSearch({ text: typed }) }}
      rows={data}
      error={error}
      empty={
        <Empty icon="automation" title="No automations yet">
          <p>
            An automation acts when certain events happen, or fail to happen: it sends a
            notification, runs a deployment, or pauses a deployment that keeps failing.
          </p>
          <LinkButton to="/automations/new?template=run-fails" needs="write" kind="primary">
            Notify me when a run fails
          </LinkButton>
        </Empty>
      }
      columns={[
        {
          title: "Automation",
          look: "fill",
          cell: (automation) => (
            <>
              <div className="cut">
                <PageLink to={`/automations/${automation.id}`}>{automation.name}</PageLink>
              </div>
              <div className="cut soft" title={triggerWords(automation.trigger as TriggerDraft)}>
                {triggerWords(automation.trigger as TriggerDraft)}
              </div>
            </>
          ),
        },
        {
          title: "Actions",
          look: "wide",
          cell: ({ actions }) => (
            <span className="nowrap">
              {actions[0] ? ACTION_WORDS[actions[0].type] : "Nothing"}
              {actions.length > 1 && <span className="soft"> and {actions.length - 1} more</span>}
            </span>
          ),
        },
        { title: "Tags", look: "wide", cell: ({ tags }) => <TagChips tags={tags} /> },
        {
          title: "Last fired",
          look: "wide",
          cell: ({ id }) => <Ago time={fired?.get(id)} />,
        },
        { title: "On", cell: (automation) => <EnabledSwitch automation={automation} /> },
      ]}
    />
  );
}
