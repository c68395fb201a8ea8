import type { Automation, MonitorOverview } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { monitorNames } from "../../api/names.ts";
import { SERVICES } from "../../api/services.ts";
import { uptime } from "../../api/uptime.ts";
import { durationLabel } from "../../lib/time.ts";
import { PageLink } from "../../navigation/link.tsx";
import { Json } from "../../ui/json.tsx";
import { Card, Code, Facts } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { lastFirings } from "../automations/automations-queries.ts";

/** How the monitor is set up, and what listens to it. */
export function MonitorFacts({ monitor }: { readonly monitor: MonitorOverview }): JSX.Element {
  const { interval, schedule, timezone, confirm_down, confirm_up, parents, pipeline } = monitor;
  const names = useQuery({ ...monitorNames, enabled: parents.length > 0 }).data ?? [];
  const token = pipeline.find(({ type }) => type === "heartbeat")?.["token"];
  return (
    <div className="stack">
      <div className="grid">
        <Card title="Schedule">
          <Facts
            items={[
              [
                "Runs",
                schedule
                  ? `${schedule} (${timezone})`
                  : `every ${interval < 60 ? `${interval} s` : durationLabel(interval)}`,
              ],
              ["Down after", `${confirm_down} ${confirm_down === 1 ? "result" : "results"}`],
              ["Up after", `${confirm_up} ${confirm_up === 1 ? "result" : "results"}`],
              [
                "Depends on",
                parents.length === 0
                  ? undefined
                  : parents.map((id) => (
                      <span key={id}>
                        <PageLink to={`/monitors/${id}`}>
                          {names.find((one) => one.id === id)?.name ?? id}
                        </PageLink>{" "}
                      </span>
                    )),
              ],
              ["Created", <Ago key="created" time={monitor.created_at} />],
              ["Updated", <Ago key="updated" time={monitor.updated_at} />],
            ]}
          />
        </Card>
        <Listeners monitor={monitor} />
      </div>
      {/* Not shown to those who may not change monitors. */}
      {typeof token === "string" && <HeartbeatAddress token={token} />}
      <Card title="Checks">
        <Json label="Checks" value={pipeline} />
      </Card>
    </div>
  );
}

function HeartbeatAddress({ token }: { readonly token: string }): JSX.Element {
  return (
    <Card title="Ping URL for your job">
      <div className="stack-tight">
        <Code text={`curl -fsS ${uptime.url}/heartbeat/${token}`} />
        <p className="soft">
          If the job does not call in time, the monitor goes down. Append <code>/fail</code> to
          report a failure.
        </p>
      </div>
    </Card>
  );
}

/** Nobody can ask by what a trigger listens to: as many are looked through. */
const MOST_AUTOMATIONS = 2000;

function Listeners({ monitor }: { readonly monitor: MonitorOverview }): JSX.Element | null {
  const { orchestrator } = SERVICES;
  const { data } = useQuery({
    queryKey: ["automations", "of-monitors"],
    enabled: orchestrator,
    queryFn: async ({ signal }) => {
      const all: Automation[] = [];
      const asked = { sort: "NAME_ASC", limit: MOST_AUTOMATIONS } as const;
      for await (const automation of api.automations.each(asked, { signal })) all.push(automation);
      return all;
    },
  });
  const listening = data?.filter(({ trigger }) => listensTo(JSON.stringify(trigger), monitor));
  const fired = useQuery(lastFirings(listening)).data;
  if (!orchestrator) return null;
  return (
    <Card title="Automations on this monitor">
      {data && data.length >= MOST_AUTOMATIONS && (
        <p className="soft">
          Only the first {MOST_AUTOMATIONS.toLocaleString("en")} automations by name were searched.
        </p>
      )}
      {listening?.length === 0 && (
        <p className="soft">
          None yet. "Create alert" makes the first one, or{" "}
          <PageLink to="/automations">create one yourself</PageLink>.
        </p>
      )}
      <ul className="stack-tight" style={{ listStyle: "none", padding: 0 }}>
        {listening?.map(({ id, name, enabled }) => (
          <li key={id}>
            <PageLink to={`/automations/${id}`}>{name}</PageLink>{" "}
            <span className="faint">
              {!enabled && "disabled"}
              {!enabled && fired && ", "}
              {fired?.has(id) && (
                <>
                  fired <Ago time={fired.get(id)} />
                </>
              )}
              {fired?.has(id) === false && "never fired"}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const ANY_MONITOR_ID = /\.monitor\.[0-9a-f]{8}-/;

/**
 * Whether a trigger, as it is written, is about this monitor: by its id, by one of its tags, or by
 * no condition at all.
 */
function listensTo(trigger: string, { id, tags }: MonitorOverview): boolean {
  if (trigger.includes(`.monitor.${id}`)) return true;
  if (!trigger.includes(".monitor.") || ANY_MONITOR_ID.test(trigger)) return false;
  return trigger.includes(".tag.") ? tags.some((tag) => trigger.includes(`.tag.${tag}"`)) : true;
}
