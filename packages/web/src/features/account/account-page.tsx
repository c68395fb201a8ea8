import type { JSX } from "react";
import { useMay } from "../../api/rights.ts";
import { accountIn, useBrowserSession } from "../../api/session.ts";
import { navigate } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Tabs } from "../../ui/form.tsx";
import { Empty, PageFrame } from "../../ui/surface.tsx";
import { AccountFacts } from "./account-facts.tsx";
import { AuditTable } from "./audit.tsx";
import { Keys } from "./keys.tsx";
import { Members } from "./members.tsx";
import { ServiceAccounts } from "./service-accounts.tsx";
import { Workspaces } from "./workspaces.tsx";

const PARTS = {
  members: { label: "Members", Part: Members, managed: true },
  keys: { label: "API keys", Part: Keys, managed: false },
  "service-accounts": { label: "Service accounts", Part: ServiceAccounts, managed: true },
  workspaces: { label: "Workspaces", Part: Workspaces, managed: false },
  audit: { label: "Audit log", Part: AuditTable, managed: true },
  account: { label: "Account", Part: AccountFacts, managed: false },
} as const;
type PartName = keyof typeof PARTS;

const isPart = (name: string): name is PartName => Object.hasOwn(PARTS, name);

/** The account that the workspace belongs to: who is in it, what opens it, and what it has. */
export function AccountPage({ params }: PageProps): JSX.Element {
  const session = useBrowserSession();
  const mayManage = useMay("manage");
  const names = (Object.keys(PARTS) as PartName[]).filter(
    (name) => mayManage || !PARTS[name].managed,
  );
  const [first = "keys"] = names;
  const asked = params["part"] ?? "";
  const part = isPart(asked) && names.includes(asked) ? asked : first;
  const account = session && accountIn(session);
  if (session === undefined || account === undefined)
    return (
      <PageFrame title="Account">
        <Empty icon="people" title="This server has no accounts">
          <p>Everyone who can reach it has full access.</p>
        </Empty>
      </PageFrame>
    );
  const { Part } = PARTS[part];
  return (
    <PageFrame title={account.account_name} about={`Account. Your role in it: ${account.role}`}>
      <Tabs
        label="Account sections"
        tabs={names.map((name) => [name, PARTS[name].label] as const)}
        value={part}
        onValue={(name) => navigate(`/account/${name}`)}
      />
      <Part accountId={account.account_id} session={session} />
    </PageFrame>
  );
}
