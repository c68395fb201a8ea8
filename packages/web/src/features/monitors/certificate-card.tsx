import type { JSX } from "react";
import { shortly } from "../../lib/time.ts";
import { Card, Facts, NoticeBox } from "../../ui/surface.tsx";
import type { Certificate } from "./check-details.ts";

const SOON_DAYS = 14;

export function CertificateCard({
  certificate,
}: {
  readonly certificate: Certificate;
}): JSX.Element {
  const { subject, issuer, valid_to, days_left, protocol, problem } = certificate;
  const isSoon = days_left != null && days_left <= SOON_DAYS;
  return (
    <Card title="Certificate">
      <div className="stack">
        {problem && <NoticeBox kind="error">{problem}</NoticeBox>}
        {isSoon && (
          <NoticeBox kind="warn">
            {days_left < 0
              ? "The certificate has expired."
              : `The certificate expires in ${days_left} days.`}
          </NoticeBox>
        )}
        <Facts
          items={[
            ["Subject", subject],
            ["Issuer", issuer],
            ["Expires", valid_to ? `${shortly(valid_to)} (in ${days_left} days)` : undefined],
            ["Protocol", protocol],
          ]}
        />
      </div>
    </Card>
  );
}
