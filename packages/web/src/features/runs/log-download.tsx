import type { JSX, MouseEvent } from "react";
import { authMode } from "../../api/auth-mode.ts";
import { api } from "../../api/client.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { toastError } from "../../ui/toasts.tsx";

/** All lines of a run as a file. */
export function LogDownloadButton({ runId }: { readonly runId: string }): JSX.Element {
  const download = async () => {
    try {
      const lines = await api.flowRuns.downloadLogs(runId);
      const url = URL.createObjectURL(await new Response(lines as ReadableStream).blob());
      Object.assign(document.createElement("a"), { href: url, download: "logs.csv" }).click();
      URL.revokeObjectURL(url);
    } catch (error) {
      toastError(error);
    }
  };
  const onClick = (event: MouseEvent) => {
    // The browser does not know the password when it follows a link; it has the cookie of a
    // session.
    if (authMode !== "password") return;
    event.preventDefault();
    void download();
  };
  return (
    <a
      className={buttonClass({ small: true })}
      href={`${api.url}/flow_runs/${runId}/logs/download`}
      onClick={onClick}
    >
      <Icon name="download" /> CSV
    </a>
  );
}
