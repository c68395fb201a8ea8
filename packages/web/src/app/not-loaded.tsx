import { type JSX, useEffect } from "react";
import { waitForServer } from "../api/presence.ts";
import { Button } from "../ui/button.tsx";
import { NoticeBox, PageFrame } from "../ui/surface.tsx";

/**
 * The code of a page did not come: the server is away, or has become a newer one that has other
 * code.
 */
export class NotLoaded extends Error {}

const LAST = "loaded-again-at";
/** What cannot be loaded so soon after is not mended by loading it once more. */
const SOON_MS = 30_000;

/**
 * A browser may remember that code did not come, so that only loading the page as a whole helps.
 */
export function LoadAgain(): JSX.Element {
  useEffect(() => {
    let isGone = false;
    void waitForServer().then(() => {
      const last = Number(sessionStorage.getItem(LAST));
      if (isGone || Date.now() - last < SOON_MS) return;
      sessionStorage.setItem(LAST, String(Date.now()));
      location.reload();
    });
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <PageFrame
      title="This page could not be loaded"
      actions={
        <Button icon="retry" onClick={() => location.reload()}>
          Reload
        </Button>
      }
    >
      <NoticeBox kind="warn">
        The server did not answer. The page loads as soon as it does.
      </NoticeBox>
    </PageFrame>
  );
}
