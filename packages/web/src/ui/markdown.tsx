// The part of Markdown that reports are written in. It makes elements, never HTML, so nothing in a
// text can act.
import "./markdown.css";
import { Fragment, type JSX, type ReactNode } from "react";
import { ScrollBox } from "./scroll-box.tsx";

export function Markdown({ text }: { readonly text: string }): JSX.Element {
  return (
    <div className="markdown">
      {blocksOf(text.replaceAll("\r\n", "\n").split("\n")).map((block, i) => (
        <Fragment key={i}>{block}</Fragment>
      ))}
    </div>
  );
}

const FENCE = /^```/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const BULLET = /^\s*[-*+]\s+(.*)$/;
const NUMBER = /^\s*\d+[.)]\s+(.*)$/;
const QUOTE = /^>\s?(.*)$/;
const LINE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const TABLE = /^\s*\|.*\|\s*$/;
/**
 * Of one class, or a cell that was filled up with spaces would be gone through in each way of
 * sharing them out.
 */
const RULE = /^[\s:|-]+$/;

function blocksOf(lines: readonly string[]): ReactNode[] {
  const blocks: ReactNode[] = [];
  let at = 0;
  const take = (fits: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    for (let line = lines[at]; line !== undefined && fits(line); line = lines[(at += 1)])
      taken.push(line);
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = HEADING.exec(line);
    if (line.trim() === "") at += 1;
    else if (FENCE.test(line)) {
      at += 1;
      const code = take((next) => !FENCE.test(next));
      at += 1;
      blocks.push(
        <ScrollBox as="pre" label="Code">
          <code>{code.join("\n")}</code>
        </ScrollBox>,
      );
    } else if (heading) {
      at += 1;
      blocks.push(<h3>{inline(heading[2] ?? "")}</h3>);
    } else if (LINE.test(line)) {
      at += 1;
      blocks.push(<hr />);
    } else if (BULLET.test(line))
      blocks.push(
        <ul>
          {items(
            take((next) => BULLET.test(next)),
            BULLET,
          )}
        </ul>,
      );
    else if (NUMBER.test(line))
      blocks.push(
        <ol>
          {items(
            take((next) => NUMBER.test(next)),
            NUMBER,
          )}
        </ol>,
      );
    else if (QUOTE.test(line)) {
      const quoted = take((next) => QUOTE.test(next)).map((next) => QUOTE.exec(next)?.[1] ?? "");
      blocks.push(<blockquote>{inline(quoted.join(" "))}</blockquote>);
    } else if (TABLE.test(line)) blocks.push(tableOf(take((next) => TABLE.test(next))));
    else {
      const isText = (next: string) =>
        next.trim() !== "" &&
        ![FENCE, HEADING, LINE, BULLET, NUMBER, QUOTE, TABLE].some((kind) => kind.test(next));
      blocks.push(<p>{inline(take(isText).join(" "))}</p>);
    }
  }
  return blocks;
}

const items = (lines: readonly string[], kind: RegExp): ReactNode[] =>
  lines.map((line, i) => <li key={i}>{inline(kind.exec(line)?.[1] ?? "")}</li>);

function tableOf(lines: readonly string[]): ReactNode {
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  const [head, ...rest] = lines.filter((line) => !RULE.test(line)).map(cells);
  return (
    <ScrollBox as="div" label="Table" className="table-box">
      <table>
        <thead>
          <tr>
            {head?.map((cell, i) => (
              <th key={i}>{inline(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rest.map((row, i) => (
            <tr key={i}>
              {row.map((cell, j) => (
                <td key={j}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

const LETTER = String.raw`[\p{L}\p{N}]`;
/** As CommonMark has it, emphasis touches what it is about: there is none in `2 * 3 * 4`. */
const starred = (mark: string): string => String.raw`${mark}(?!\s)[^*]+(?<!\s)${mark}`;
/** And an underscore within a word, as in `order_id`, is a letter of it. */
const underscored = (mark: string): string =>
  String.raw`(?<!${LETTER}|_)${mark}(?![\s_])(?:[^_]|(?<=${LETTER})_(?=${LETTER}))+(?<!\s)${mark}(?!${LETTER}|_)`;
/** As deep as anybody writes them. */
const PAIR = String.raw`\((?:[^()\s]|\([^()\s]*\))*\)`;
const INLINE = new RegExp(
  [
    "(`[^`]+`)",
    `(${starred(String.raw`\*\*`)}|${underscored("__")})`,
    `(${starred(String.raw`\*`)}|${underscored("_")})`,
    // Brackets in an address are in pairs: so an address without an end is given up at the next
    // link, and not read to the end of the text.
    String.raw`!?\[([^[\]]*)\]\((?!\))([^()\s]*(?:${PAIR}[^()\s]*)*)\)`,
  ].join("|"),
  "gu",
);
/** What else an address could begin with would run as code. */
const SAFE_LINK = /^(?:https?:|mailto:|\/|#)/i;
/** An image cannot run anything, not even one that is a drawing. */
const SAFE_IMAGE = /^(?:https:|data:image\/|\/)/i;

function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(end, match.index));
    const [whole, code, bold, italic, label, address] = match;
    const key = match.index;
    if (code) parts.push(<code key={key}>{code.slice(1, -1)}</code>);
    else if (bold) parts.push(<strong key={key}>{bold.slice(2, -2)}</strong>);
    else if (italic) parts.push(<em key={key}>{italic.slice(1, -1)}</em>);
    else if (whole.startsWith("!") && SAFE_IMAGE.test(address ?? ""))
      parts.push(<img key={key} src={address} alt={label ?? ""} />);
    else if (address !== undefined && SAFE_LINK.test(address))
      parts.push(
        <a key={key} href={address} rel="noreferrer noopener" target="_blank">
          {label}
        </a>,
      );
    else parts.push(whole);
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}
