import { type JSX, type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";

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
        <TextField
          label={
            <>
              Type <code>{handle}</code> to confirm
            </>
          }
          autoComplete="off"
          value={typed}
          onText={setTyped}
        />
        <DialogFoot error={error}>
          <Button onClick={onClose}>Keep</Button>
          <Button kind="danger" type="submit" busy={busy} disabled={typed !== handle}>
            {verb}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
