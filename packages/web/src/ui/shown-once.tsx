import type { JSX, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Code, NoticeBox } from "./surface.tsx";

/** A secret that the server tells this one time. */
export function ShownOnce({
  title,
  secret,
  warning,
  children,
  onClose,
}: {
  readonly title: string;
  readonly secret: string;
  readonly warning: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <NoticeBox kind="warn">{warning}</NoticeBox>
      <Code text={secret} />
      {children}
      <div className="dialog__foot">
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}
