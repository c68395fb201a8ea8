import "./monitors.css";
import type { MonitorsOverview, OverviewState } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { navigate, useSearch } from "../../navigation/location.ts";
import { pageOf } from "../../navigation/paged-search.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { iconShapeOf } from "../../ui/state.tsx";
import { Card, Empty, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { Pager } from "../../ui/table.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { LogOutButton } from "../login/log-out-button.tsx";
import { UptimeGate } from "../login/uptime-gate.tsx";
import { monitorsPage, monitorTags, PAGE_SIZE } from "./monitor-queries.ts";
import { MONITOR_STATE_WORDS, STATES } from "./monitor-words.ts";
import { type MonitorsSearch, readMonitorsSearch } from "./monitors-search.ts";
import { MonitorsTable } from "./monitors-table.tsx";

const CHECK_ALL_MS = 180_000;

export function MonitorsPage(): JSX.Element {
  return (
    <UptimeGate>
      <Monitors />
    </UptimeGate>
  );
}

function Monitors(): JSX.Element {
  const [search, setSearch] = useSearch(readMonitorsSearch);
  const narrow = (change: Partial<MonitorsSearch>) => setSearch({ page: "", ...change });
  const { data, error } = useQuery(monitorsPage(search));
  const isNarrowed = Object.keys(search).some((key) => key !== "page");
  const hasMonitors = data !== undefined && (isNarrowed || data.count > 0);
  return (
    <PageFrame
      title="Monitors"
      actions={
        <>
          <LogOutButton />
          {hasMonitors && <CheckAll tags={search.tags ?? []} />}
          <LinkButton to="/monitors/new" needs="write" kind="primary" icon="plus">
            New monitor
          </LinkButton>
        </>
      }
    >
      {hasMonitors && <Filters search={search} counts={data.counts} onChange={narrow} />}
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card flush>
        <MonitorsTable monitors={data?.monitors} empty={<Nothing isNarrowed={isNarrowed} />} />
        {data && (
          <Pager
            page={pageOf(search)}
            pages={Math.ceil(data.count / PAGE_SIZE)}
            count={data.count}
            what="monitor"
            onPage={(page) => setSearch({ page: String(page) })}
          />
        )}
      </Card>
    </PageFrame>
  );
}

function Nothing({ isNarrowed }: { readonly isNarrowed: boolean }): JSX.Element {
  if (isNarrowed)
    return (
      <Empty icon="filter" title="No matching monitors">
        <Button onClick={() => navigate("/monitors")}>Show all monitors</Button>
      </Empty>
    );
  return (
    <Empty
      icon="monitor"
      title="No monitors yet"
      command="orchestrator monitor create shop https://shop.example.com"
    >
      <p>
        A monitor checks an address periodically and alerts you when it is down. To create your
        first one, <PageLink to="/monitors/new">enter an address</PageLink>, test it and save it. Or
        from a terminal:
      </p>
    </Empty>
  );
}

function Filters({
  search,
  counts,
  onChange,
}: {
  readonly search: MonitorsSearch;
  readonly counts: MonitorsOverview["counts"];
  readonly onChange: (change: Partial<MonitorsSearch>) => void;
}): JSX.Element {
  const { states = [], tags = [] } = search;
  const { data: known = [] } = useQuery(monitorTags);
  const toggle = (state: OverviewState) =>
    onChange({
      states: states.includes(state) ? states.filter((one) => one !== state) : [...states, state],
    });
  return (
    <search className="spread">
      <div className="counts" role="group" aria-label="States">
        {STATES.filter((state) => counts[state] > 0 || states.includes(state)).map((state) => (
          <button
            key={state}
            type="button"
            className="count"
            data-state={state === "unknown" ? "none" : state}
            aria-pressed={states.includes(state)}
            onClick={() => toggle(state)}
          >
            <Icon name={iconShapeOf(state)} size={14} />
            <span className="num">{counts[state].toLocaleString("en")}</span>{" "}
            {MONITOR_STATE_WORDS[state]}
          </button>
        ))}
      </div>
      <div className="row">
        {known.length > 0 && (
          <div style={{ width: 160 }}>
            <Select
              aria-label="Tag"
              value={tags[0] ?? ""}
              onValue={(tag) => onChange({ tags: tag === "" ? [] : [tag] })}
              options={[["", "All tags"], ...known.map((tag) => [tag, tag] as const)]}
            />
          </div>
        )}
        <SearchBox
          label="Name or address"
          value={search.text ?? ""}
          onValue={(text) => onChange({ text })}
        />
      </div>
    </search>
  );
}

function CheckAll({ tags }: { readonly tags: readonly string[] }): JSX.Element {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    try {
      const options = { timeoutMs: CHECK_ALL_MS, totalTimeoutMs: CHECK_ALL_MS };
      const results = await uptime.monitors.checkAll(
        tags.length > 0 ? { tag: [...tags] } : {},
        {},
        options,
      );
      const wrong = results.filter(({ status }) => status !== "up").length;
      const words = `Checked ${results.length}: ${wrong === 0 ? "all are up" : `${wrong} not up`}`;
      toast(wrong === 0 ? "good" : "error", words);
      await queries.invalidateQueries({ queryKey: ["monitors"] });
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button needs="run" icon="retry" busy={busy} onClick={() => void check()}>
      {tags.length > 0 ? "Check these now" : "Check all now"}
    </Button>
  );
}
