import type { Workspace, WorkspaceQuotas } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { useMay } from "../../api/rights.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { Input, LabeledField } from "../../ui/form.tsx";
import { NoticeBox, Skeleton } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { parseQuotas, QUOTA_KINDS, type QuotaKind, typedOf, usageText } from "./quota-words.ts";

/** How much a workspace has, and may have. */
export function QuotasDialog({
  workspace: { account_id, id, name },
  onClose,
}: {
  readonly workspace: Workspace;
  readonly onClose: () => void;
}): JSX.Element {
  const { data, error } = useQuery({
    queryKey: ["account", account_id, "quotas", id],
    queryFn: ({ signal }) => accountsClient.workspaces.readQuotas(account_id, id, { signal }),
  });
  return (
    <Dialog title={`Quotas of ${name}`} onClose={onClose}>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      {data === undefined && !error && <Skeleton lines={5} />}
      {data && (
        <QuotasForm found={data} accountId={account_id} workspaceId={id} onClose={onClose} />
      )}
    </Dialog>
  );
}

function QuotasForm({
  found,
  accountId,
  workspaceId,
  onClose,
}: {
  readonly found: WorkspaceQuotas;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [typed, setTyped] = useState(() => typedOf(found.quotas));
  const mayChange = useMay("manage");
  const quotas = parseQuotas(typed);
  const { onSubmit, busy, error } = useSubmit(async () => {
    if (quotas === null) return;
    await accountsClient.workspaces.replaceQuotas(accountId, workspaceId, quotas);
    await queries.invalidateQueries({ queryKey: ["account", accountId] });
    toast("good", "Quotas saved");
    onClose();
  });
  return (
    <form className="stack" onSubmit={onSubmit}>
      {QUOTA_KINDS.map((kind) => (
        <LabeledField key={kind.name} label={kind.label} hint={<Used kind={kind} found={found} />}>
          {(field) => (
            <Input
              {...field}
              inputMode="decimal"
              placeholder="Unlimited"
              disabled={!mayChange}
              value={typed[kind.name]}
              onChange={({ target }) => setTyped({ ...typed, [kind.name]: target.value })}
            />
          )}
        </LabeledField>
      ))}
      {found.usage.measured !== null && (
        <p className="soft">
          Storage was measured <Ago time={found.usage.measured} />.
        </p>
      )}
      {quotas === null && (
        <NoticeBox kind="error">Enter a number, or leave it empty for no limit.</NoticeBox>
      )}
      <DialogFoot error={error}>
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" type="submit" needs="manage" busy={busy} disabled={quotas === null}>
          Save
        </Button>
      </DialogFoot>
    </form>
  );
}

function Used({
  kind: { name, hint, unit },
  found: { usage, effective },
}: {
  readonly kind: QuotaKind;
  readonly found: WorkspaceQuotas;
}): JSX.Element {
  const used = usage[name];
  const most = effective[name];
  const share = used === null || !most ? 0 : Math.min(1, used / most);
  return (
    <span className="stack-tight">
      {most !== null && (
        <span className="meter" aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      <span className="num">
        {hint}: {usageText(used, most, unit)}
      </span>
    </span>
  );
}
