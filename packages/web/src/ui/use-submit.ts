import { type SubmitEvent, useState } from "react";
import { refusalText } from "../lib/error-text.ts";

export interface Submit {
  readonly onSubmit: (event: SubmitEvent) => void;
  readonly busy: boolean;
  readonly error: string | undefined;
}

/** A form that is sent once at a time, and says why it was refused. */
export function useSubmit(send: () => Promise<void>): Submit {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await send();
    } catch (reason) {
      setError(refusalText(reason));
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    error,
    onSubmit: (event) => {
      event.preventDefault();
      if (!busy) void submit();
    },
  };
}
