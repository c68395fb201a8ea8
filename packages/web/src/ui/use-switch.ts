import { useState } from "react";
import { toastError } from "./toasts.tsx";

/**
 * Shows at once what was chosen, and goes back when the server refuses. `turn` ends when what is
 * shown has been read again.
 */
export function useSwitch(
  isOn: boolean,
  turn: (on: boolean) => Promise<unknown>,
): readonly [boolean, () => void] {
  const [chosen, setChosen] = useState<boolean>();
  const shown = chosen ?? isOn;
  const flip = async () => {
    setChosen(!shown);
    try {
      await turn(!shown);
    } catch (error) {
      toastError(error);
    }
    setChosen(undefined);
  };
  return [shown, () => void flip()];
}
