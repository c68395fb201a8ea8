// What an answer, or the lack of one, means for a message.

import {
  MailRefused,
  type OutboundAnswer,
  OutboundError,
  retryAfterMicros,
} from "@orchestrator/outbound";
import type { Content } from "./content.ts";
import { type AnswerAssessment, BlockFault } from "./formats/format.rules.ts";
import type { Hide } from "./hidden-secrets.rules.ts";
import { cut, tidy } from "./tidy-text.rules.ts";

export type DeliveryDetails = Readonly<Record<string, unknown>>;

export type DeliveryVerdict =
  | {
      readonly outcome: "delivered";
      readonly statusCode: number | null;
      readonly details: DeliveryDetails;
    }
  | {
      readonly outcome: "failed";
      readonly reason: string;
      readonly statusCode: number | null;
      readonly details: DeliveryDetails;
    }
  | {
      readonly outcome: "later";
      readonly reason: string;
      readonly statusCode: number | null;
      readonly details: DeliveryDetails;
      readonly retryAfterMicros: number | null;
      /** Whether others that go there would fare no better. */
      readonly isDown: boolean;
    };

/** Of a message that nobody wants to be sent any more. */
export const DROPPED = {
  outcome: "failed",
  reason: "The automation was deleted",
  statusCode: null,
  details: {},
} as const satisfies DeliveryVerdict;

const MAX_ERROR = 500;
const MAX_QUOTED = 200;
const MAX_SHOWN_BODY = 1000;
const MAX_SHOWN_HEADERS = 50;

const isPassing = (status: number): boolean =>
  status >= 500 || status === 408 || status === 425 || status === 429;

export interface Answered {
  readonly type: Content["type"];
  readonly answer: OutboundAnswer;
  readonly judgement: AnswerAssessment;
  readonly nowMicros: number;
  readonly hide: Hide;
  /** A webhook is not called again once it has answered, whatever it was. */
  readonly takesAnyAnswer: boolean;
}

/** A webhook may answer what it likes; a service that takes notifications must say that it has. */
export function classifyAnswer(answered: Answered): DeliveryVerdict {
  const { type, answer, judgement, nowMicros, hide, takesAnyAnswer } = answered;
  const { status } = answer;
  const details = type === "call-webhook" ? answerDetails(answer, hide) : { status_code: status };
  if (type === "call-webhook" && takesAnyAnswer)
    return { outcome: "delivered", statusCode: status, details };
  const { problem, retryAfterSeconds } = judgement;
  if (isPassing(status) || problem !== undefined) {
    const asked =
      retryAfterSeconds === undefined
        ? retryAfterMicros(answer.headers["retry-after"], nowMicros)
        : retryAfterSeconds * 1_000_000;
    return {
      outcome: "later",
      reason: problem ?? told(answer, hide),
      statusCode: status,
      details,
      retryAfterMicros: asked,
      isDown: asked !== null || status === 429,
    };
  }
  if (type === "call-webhook" || (status >= 200 && status < 300))
    return { outcome: "delivered", statusCode: status, details };
  return { outcome: "failed", reason: told(answer, hide), statusCode: status, details };
}

/** Null when the error is none of sending. */
export function classifyError(error: unknown, hide: Hide): DeliveryVerdict | null {
  const known = { statusCode: null, details: {} };
  if (error instanceof BlockFault) return { ...known, outcome: "failed", reason: error.message };
  const isRefused = error instanceof MailRefused;
  if (!isRefused && !(error instanceof OutboundError)) return null;
  const reason = tidy(hide(error.message), MAX_ERROR);
  const code = isRefused ? { ...known, statusCode: error.code } : known;
  if (error.isLasting) return { ...code, outcome: "failed", reason };
  const isDown = !isRefused && error.code !== "stopped";
  return { ...code, outcome: "later", reason, retryAfterMicros: null, isDown };
}

function told({ status, body }: OutboundAnswer, hide: Hide): string {
  const quoted = tidy(hide(body), MAX_QUOTED);
  const redirect = status >= 300 && status < 400 ? ", and redirects are not followed" : "";
  return `The other side answered ${status}${redirect}${quoted === "" ? "" : `: ${quoted}`}`;
}

/** Headers that tell of the far side's inner workings, or let somebody in. */
const HIDDEN_HEADERS =
  /^(?:authorization|traceparent|via|set-cookie|x-forwarded.*|x-b3.*|x-cloud-trace.*|x-envoy.*|x-prefect.*)$/i;

function answerDetails({ status, headers, body }: OutboundAnswer, hide: Hide): DeliveryDetails {
  const shown = Object.entries(headers)
    .filter(([name]) => !HIDDEN_HEADERS.test(name))
    .slice(0, MAX_SHOWN_HEADERS)
    .map(([name, value]) => [name, tidy(hide(value), MAX_QUOTED)] as const);
  return {
    status_code: status,
    response_body: cut(hide(body).replaceAll("\0", ""), MAX_SHOWN_BODY),
    response_headers: Object.fromEntries(shown),
  };
}
