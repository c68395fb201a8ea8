import { type FormEvent, type JSX, type ReactNode, useState } from "react";
import { errorText } from "../lib/error-text.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./surface.tsx";

/** A form of its own. Enter saves; what the server has against it stays in sight, and nothing that was typed is lost. */
export function SaveDialog({
  title,
  verb = "Save",
  canSave = true,
  onSave,
  onClose,
  children,
}: {
  readonly title: string;
  /** What the button does. */
  readonly verb?: string;
  readonly canSave?: boolean;
  /** Once it has been saved the dialog closes. */
  readonly onSave: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): JSX.Element {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const save = async () => {
    setBusy(true);
    try {
      await onSave();
      onClose();
    } catch (reason) {
      setError(errorText(reason));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSave && !busy) void save();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {children}
        {error !== undefined && <Notice kind="error">{error}</Notice>}
        <div className="dialog__foot">
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" disabled={!canSave} busy={busy}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
