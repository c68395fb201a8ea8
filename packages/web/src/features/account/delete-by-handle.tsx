import { type JSX, type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/form.tsx";
import { Notice } from "../../ui/surface.tsx";
import { useSubmit } from "../session/use-submit.ts";

/** Deletes what is large only for whoever types its handle. */
export function DeleteByHandle({
  title,
  verb,
  handle,
  children,
  onDelete,
  onClose,
}: {
  readonly title: string;
  readonly verb: string;
  readonly handle: string;
  readonly children: ReactNode;
  readonly onDelete: (handle: string) => Promise<void>;
  readonly onClose: () => void;
}): JSX.Element {
  const [typed, setTyped] = useState("");
  const { onSubmit, busy, error } = useSubmit(async () => {
    await onDelete(typed);
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <p>{children}</p>
        <Field
          label={
            <>
              Type <code>{handle}</code> to go on
            </>
          }
        >
          {(field) => (
            <Input
              {...field}
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        {error !== undefined && <Notice kind="error">{error}</Notice>}
        <div className="dialog__foot">
          <Button onClick={onClose}>Keep</Button>
          <Button kind="danger" type="submit" busy={busy} disabled={typed !== handle}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
