import type { CheckResult, MonitorOverview } from "@orchestrator/contract";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useEffect, useMemo, useRef, useState } from "react";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Segments } from "../../ui/form.tsx";
import { Json } from "../../ui/json.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { CertificateCard } from "./certificate-card.tsx";
import { certificateOf } from "./check-details.ts";
import { CheckOutcomes } from "./check-outcomes.tsx";
import { resultsOf } from "./result-queries.ts";
import { ResultsTable } from "./results-table.tsx";
import { Versions } from "./versions.tsx";

const STATUSES = [
  ["", "All"],
  ["degraded", "Degraded"],
  ["down", "Down"],
] as const;

/** The last run in full, and those before it. */
export function MonitorResults({ monitor }: { readonly monitor: MonitorOverview }): JSX.Element {
  const [status, setStatus] = useState<(typeof STATUSES)[number][0]>("");
  const [shown, setShown] = useState<CheckResult>();
  const found = useInfiniteQuery(resultsOf(monitor.id, status));
  useFollow(monitor);
  const results = useMemo(() => found.data && once(found.data.pages.flat()), [found.data]);
  const [last] = status === "" ? (results ?? []) : [];
  const certificate = results?.map(certificateOf).find((one) => one !== undefined);
  const isInstance = monitor.pipeline.some(({ type }) => type === "instance");
  return (
    <>
      {last && (
        <Card title="Last result by check">
          <CheckOutcomes result={last} />
        </Card>
      )}
      {(certificate || isInstance) && status === "" && (
        <div className="grid">
          {certificate && <CertificateCard certificate={certificate} />}
          {isInstance && <Versions monitor={monitor} />}
        </div>
      )}
      {found.error && <NoticeBox kind="error">{errorText(found.error)}</NoticeBox>}
      <Card
        flush
        title="Results"
        actions={<Segments label="Status" options={STATUSES} value={status} onValue={setStatus} />}
      >
        <ResultsTable
          results={results}
          onShow={setShown}
          empty={<Empty icon="monitor" title="No matching results" />}
        />
        {found.hasNextPage && (
          <div style={{ padding: 12, textAlign: "center" }}>
            <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              Older
            </Button>
          </div>
        )}
      </Card>
      {shown && (
        <Dialog wide title="Result" onClose={() => setShown(undefined)}>
          <CheckOutcomes result={shown} />
          <Json label="Result" value={shown} />
        </Dialog>
      )}
    </>
  );
}

/** A new result is a reason to ask for the list again. */
function useFollow({ id, last_check }: MonitorOverview): void {
  const queries = useQueryClient();
  const seen = useRef(last_check);
  useEffect(() => {
    if (seen.current === last_check) return;
    seen.current = last_check;
    void queries.invalidateQueries({ queryKey: ["monitors", "results", id] });
  }, [queries, id, last_check]);
}

/** A page begins with the last of the one before. */
function once(results: readonly CheckResult[]): CheckResult[] {
  return [...new Map(results.map((result) => [result.id, result])).values()];
}
