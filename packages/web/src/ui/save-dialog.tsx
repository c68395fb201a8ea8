import type { JSX, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogFoot } from "./dialog.tsx";
import { useSubmit } from "./use-submit.ts";

/**
 * A form of its own. Enter saves; what the server has against it stays in sight, and nothing that
 * was typed is lost.
 */
export function SaveDialog({
  title,
  verb = "Save",
  canSave = true,
  wide = false,
  onSave,
  onClose,
  children,
}: {
  readonly title: string;
  /** What the button does. */
  readonly verb?: string;
  readonly canSave?: boolean;
  readonly wide?: boolean;
  /** Once it has been saved the dialog closes. */
  readonly onSave: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): JSX.Element {
  const { onSubmit, busy, error } = useSubmit(async () => {
    if (!canSave) return;
    await onSave();
    onClose();
  });
  return (
    <Dialog title={title} wide={wide} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        {children}
        <DialogFoot error={error}>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" disabled={!canSave} busy={busy}>
            {verb}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
