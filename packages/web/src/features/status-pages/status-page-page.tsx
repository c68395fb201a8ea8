import type { StatusPage } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { navigate, useSearch } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Tabs } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { NotShown } from "../../ui/not-shown.tsx";
import { PageFrame } from "../../ui/surface.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { UptimeGate } from "../login/uptime-gate.tsx";
import { type PageChanges, PageEditor } from "./page-editor.tsx";
import { Reports } from "./reports.tsx";
import { publicAddress, statusPageById } from "./status-page-queries.ts";
import { PublishedBadge } from "./status-pages-page.tsx";

const LIST = { label: "Status pages", to: "/status-pages" };
const CRUMBS = [LIST];
const TABS = [
  ["content", "Content"],
  ["reports", "Reports"],
] as const;
type Tab = (typeof TABS)[number][0];

function readSearch(search: URLSearchParams): { readonly tab?: Tab } {
  return search.get("tab") === "reports" ? { tab: "reports" } : {};
}

export function StatusPagePage({ params }: PageProps): JSX.Element {
  const id = params["id"] ?? "";
  return (
    <UptimeGate>
      <Found key={id} id={id} />
    </UptimeGate>
  );
}

function Found({ id }: { readonly id: string }): JSX.Element {
  const { data, error } = useQuery(statusPageById(id));
  const [{ tab = "content" }, setSearch] = useSearch(readSearch);
  // Kept here, so that a look at the reports does not lose them.
  const [changes, setChanges] = useState<PageChanges>({});
  if (data === undefined)
    return (
      <PageFrame title="Status page" crumbs={CRUMBS}>
        <NotShown error={error} what="status page" list={LIST} />
      </PageFrame>
    );
  return (
    <PageFrame
      title={data.title}
      crumbs={CRUMBS}
      about={
        <span className="row">
          <PublishedBadge page={data} />
          <span>{publicAddress(data.slug)}</span>
        </span>
      }
      actions={<Actions page={data} />}
    >
      <Tabs<Tab>
        label="About this page"
        tabs={TABS}
        value={tab}
        onValue={(next) => setSearch({ tab: next })}
      />
      {tab === "content" ? (
        <PageEditor page={data} changes={changes} setChanges={setChanges} />
      ) : (
        <Reports page={data} />
      )}
    </PageFrame>
  );
}

function Actions({ page }: { readonly page: StatusPage }): JSX.Element {
  const queries = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: ["status-pages"] });
  const publish = async () => {
    try {
      await uptime.statusPages.update(page.id, { published: !page.published });
      await refresh();
      toast("good", page.published ? "Page unpublished" : "Page published");
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <>
      {page.published && (
        <a href={publicAddress(page.slug)} className={buttonClass({})}>
          <Icon name="link" /> Open public page
        </a>
      )}
      <Button
        needs="write"
        {...(!page.published && { kind: "primary" as const })}
        onClick={() => void publish()}
      >
        {page.published ? "Unpublish" : "Publish"}
      </Button>
      <Button needs="write" kind="danger" icon="trash" onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {isDeleting && (
        <Confirm
          title={`Delete ${page.title}?`}
          verb="Delete page"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await uptime.statusPages.delete(page.id);
            navigate("/status-pages");
            await refresh();
          }}
        >
          Its reports are deleted with it. The monitors stay.
        </Confirm>
      )}
    </>
  );
}
