import { Component, type ReactNode } from "react";
import { Notice, Page } from "../ui/surface.tsx";

/** Keeps the frame when a page fails, and says what happened. */
export class Failure extends Component<{ readonly children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Page title="This page failed">
        <Notice kind="error">{error.message}</Notice>
        <p className="soft">
          Load the page again; if it fails again, the console of the browser says where.
        </p>
      </Page>
    );
  }
}
