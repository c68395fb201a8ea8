// A plain mail as it goes over the wire: headers that no text can break out of, and a body of short
// ASCII lines.

import { domainOf, type MailAddress } from "./mail-address.ts";

export interface Mail {
  /** Makes the Message-ID, so that a mail that comes twice can be known as one. */
  readonly id: string;
  readonly from: MailAddress;
  readonly to: readonly MailAddress[];
  readonly subject: string;
  readonly text: string;
  /** A timestamp in ISO 8601. */
  readonly sentAt: string;
}

const MAX_LINE = 76;
/**
 * What one encoded word holds: with its frame it stays below the 75 characters that are allowed.
 */
const WORD_BYTES = 45;

export function mailText(mail: Mail): string {
  const { id, from, to, subject, text, sentAt } = mail;
  const headers = [
    `From: ${shown(from)}`,
    `To: ${to.map(shown).join(",\r\n ")}`,
    `Subject: ${headerText(subject, "Subject: ".length)}`,
    `Date: ${new Date(sentAt).toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${id}@${domainOf(from.address)}>`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "Auto-Submitted: auto-generated",
  ];
  return `${headers.join("\r\n")}\r\n\r\n${quotedPrintable(text)}\r\n`;
}

function shown({ name, address }: MailAddress): string {
  if (name === "") return address;
  const word = /^[A-Za-z0-9 _-]{1,60}$/.test(name) ? name : encodedWords(name);
  return `${word} <${address}>`;
}

/** A text for one header. Line breaks become spaces; what is not plain and short is encoded. */
function headerText(text: string, used: number): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const isPlain = /^[\x20-\x7e]*$/.test(line) && !line.includes("=?");
  return isPlain && line.length + used <= MAX_LINE ? line : encodedWords(line);
}

function encodedWords(text: string): string {
  const words: string[] = [];
  let chunk = "";
  const plain = text.replace(/[\s\p{Cc}]+/gu, " ");
  for (const character of plain) {
    if (Buffer.byteLength(chunk + character) > WORD_BYTES) {
      words.push(chunk);
      chunk = "";
    }
    chunk += character;
  }
  words.push(chunk);
  return words
    .map((word) => `=?UTF-8?B?${Buffer.from(word, "utf8").toString("base64")}?=`)
    .join("\r\n ");
}

function quotedPrintable(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(quotedLine)
    .join("\r\n");
}

function quotedLine(line: string): string {
  const rows: string[] = [];
  let row = "";
  const bytes = Buffer.from(line, "utf8");
  bytes.forEach((byte, index) => {
    const isBlank = byte === 0x20 || byte === 0x09;
    const isLast = index === bytes.length - 1;
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x3d;
    const piece =
      (isPlain || isBlank) && !(isBlank && isLast)
        ? String.fromCharCode(byte)
        : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    if (row.length + piece.length >= MAX_LINE) {
      rows.push(`${row}=`);
      row = "";
    }
    row += piece;
  });
  rows.push(row);
  return rows.join("\r\n");
}
