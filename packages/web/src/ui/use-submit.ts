import { type SubmitEvent, useState } from "react";
import { refusalText } from "../lib/error-text.ts";

export interface Submit {
  readonly onSubmit: (event: SubmitEvent) => void;
  readonly busy: boolean;
  readonly error: string | undefined;
  /** The same as it was thrown, for what is said at single fields. */
  readonly reason: unknown;
}

/** A form that is sent once at a time, and says why it was refused. */
export function useSubmit(send: () => Promise<void>): Submit {
  const [busy, setBusy] = useState(false);
  const [reason, setReason] = useState<unknown>();
  const submit = async () => {
    setBusy(true);
    setReason(undefined);
    try {
      await send();
    } catch (thrown) {
      setReason(thrown);
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    error: reason === undefined ? undefined : refusalText(reason),
    reason,
    onSubmit: (event) => {
      event.preventDefault();
      if (!busy) void submit();
    },
  };
}
