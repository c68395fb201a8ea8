import "./settings.css";
import { useQuery } from "@tanstack/react-query";
import { Fragment, type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/rights.ts";
import { errorText } from "../../lib/error-text.ts";
import { Input, Segments } from "../../ui/form.tsx";
import { Card, Empty, Facts, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { type ThemeChoice, useThemeChoice } from "../../ui/theme.ts";
import { isMask, settingsIn } from "./settings-list.ts";

const THEMES = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

export function SettingsPage(): JSX.Element {
  const versions = useQuery({
    queryKey: ["server", "versions"],
    queryFn: async ({ signal }) => {
      const [product, apiVersion] = await Promise.all([
        api.server.version({ signal }),
        api.server.apiVersion({ signal }),
      ]);
      return { product, apiVersion };
    },
  });
  const readiness = useQuery({
    queryKey: ["server", "readiness"],
    queryFn: ({ signal }) => api.server.readiness({ signal }),
  });
  const warning = readiness.data?.["warning"];
  return (
    <PageFrame title="Settings">
      {typeof warning === "string" && <NoticeBox kind="warn">{warning}</NoticeBox>}
      <div className="grid">
        <Card title="This server">
          <Facts
            items={[
              ["Version", <span className="num">{versions.data?.product}</span>],
              ["API version", <span className="num">{versions.data?.apiVersion}</span>],
              ["API", <code>{api.url}</code>],
              ["API documents", <Documents />],
              ["Metrics", <a href="/metrics">/metrics</a>],
            ]}
          />
        </Card>
        <div className="stack">
          <Card title="Appearance">
            <Theme />
          </Card>
          <Card title="Keyboard shortcuts">
            <Facts
              items={[
                [
                  "Go to a page or resource",
                  <span>
                    <kbd>Ctrl</kbd> <kbd>K</kbd>
                  </span>,
                ],
                ["Close", <kbd>Esc</kbd>],
                ["Switch tabs", <kbd>← →</kbd>],
                ["Skip to content", <kbd>Tab</kbd>],
              ]}
            />
          </Card>
        </div>
      </div>
      <ServerSettings />
    </PageFrame>
  );
}

/** It may be broken behind each dot and dash. */
const breakable = (name: string) =>
  name.split(/(?<=[._])/).map((part, i) => (
    <Fragment key={i}>
      {part}
      <wbr />
    </Fragment>
  ));

function Documents(): JSX.Element {
  return (
    <span className="stack-tight">
      <a href="/api/docs">Orchestration API</a>
      <a href="/uptime/api/docs">Uptime API</a>
    </span>
  );
}

function Theme(): JSX.Element {
  const [choice, choose] = useThemeChoice();
  return <Segments<ThemeChoice> label="Theme" options={THEMES} value={choice} onValue={choose} />;
}

/** Settings the server was started with. Secrets are masked by the server itself. */
function ServerSettings(): JSX.Element | null {
  const [text, setText] = useState("");
  // They are those of the whole server.
  const mayLook = useMay("own");
  const { data, error } = useQuery({
    queryKey: ["server", "settings"],
    enabled: mayLook,
    queryFn: ({ signal }) => api.server.settings({ signal }),
  });
  const wanted = text.toLowerCase();
  if (!mayLook) return null;
  const rows = data && settingsIn(data).filter(({ name }) => name.includes(wanted));
  return (
    <Card
      flush
      title="Settings the server was started with"
      actions={
        <div style={{ width: 220 }}>
          <Input
            type="search"
            aria-label="Setting name"
            placeholder="Setting name"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
      }
    >
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Table
        label="Settings"
        rows={rows}
        keyOf={({ name }) => name}
        empty={<Empty icon="filter" title="No matching settings" />}
        columns={[
          {
            title: "Setting",
            cell: ({ name }) => <code className="setting-name">{breakable(name)}</code>,
          },
          {
            title: "Value",
            look: "fill",
            cell: ({ value, words }) =>
              isMask(value) ? (
                <span className="soft">set, hidden</span>
              ) : (
                <div className="cut mono" title={value}>
                  {value}
                  {words && <span className="soft"> ({words})</span>}
                </div>
              ),
          },
        ]}
      />
    </Card>
  );
}
