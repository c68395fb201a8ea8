import { Component, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { NoticeBox, PageFrame } from "../ui/surface.tsx";
import { LoadAgain, NotLoaded } from "./not-loaded.tsx";

/** Keeps the frame when a page fails, and says what happened. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (error instanceof NotLoaded) return <LoadAgain />;
    return (
      <PageFrame
        title="This page crashed"
        actions={
          <Button icon="retry" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        <NoticeBox kind="error">{error.message}</NoticeBox>
        <p className="soft">If it crashes again, the browser console shows the error.</p>
      </PageFrame>
    );
  }
}
