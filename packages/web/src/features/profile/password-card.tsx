import type { Me } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { Button } from "../../ui/button.tsx";
import { Card, NoticeBox } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useSubmit } from "../../ui/use-submit.ts";

export function PasswordCard({ me }: { readonly me: Me }): JSX.Element {
  const queries = useQueryClient();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const { onSubmit, busy, error } = useSubmit(async () => {
    await accountsClient.me.changePassword(
      { new_password: next, ...(me.has_password && { current_password: current }) },
      { retries: 0 },
    );
    setCurrent("");
    setNext("");
    toast("good", "Password saved");
    await queries.invalidateQueries();
  });
  return (
    <Card title={me.has_password ? "Change password" : "Set a password"}>
      <form className="stack" onSubmit={onSubmit}>
        <input type="hidden" autoComplete="username" value={me.email ?? ""} readOnly />
        {me.has_password && (
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            value={current}
            onText={setCurrent}
          />
        )}
        <TextField
          label="New password"
          hint="At least 10 characters"
          type="password"
          autoComplete="new-password"
          value={next}
          onText={setNext}
        />
        {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            busy={busy}
            disabled={next === "" || (me.has_password && current === "")}
          >
            {me.has_password ? "Change password" : "Set password"}
          </Button>
        </div>
      </form>
    </Card>
  );
}
