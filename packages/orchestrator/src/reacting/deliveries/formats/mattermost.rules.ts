import { cut } from "../tidy-text.rules.ts";
import {
  BlockFault,
  blockText,
  type Format,
  flagIn,
  given,
  jsonPost,
  optionalTextIn,
  portIn,
  textsIn,
} from "./format.rules.ts";

const MAX_TEXT = 16_000;

/** An incoming webhook: https://developers.mattermost.com/integrate/webhooks/incoming */
export const mattermost: Format = {
  outgoing: (block, { subject, body }) => {
    const url = addressOf(block);
    const channels = textsIn(block, "channels");
    const text = cut(`**${subject}**\n${body}`, MAX_TEXT);
    const username = optionalTextIn(block, "botname");
    const targets = channels.length === 0 ? [null] : channels;
    return targets.map((channel) => ({
      ...jsonPost(url, given({ text, username, channel: channel?.replace(/^#/, "") })),
      recipient: channel ?? "",
    }));
  },
};

function addressOf(block: Parameters<Format["outgoing"]>[0]): string {
  const scheme = flagIn(block, "secure", false) ? "https" : "http";
  const host = blockText(block, "hostname");
  if (/[\s/?#@\\]/.test(host)) throw new BlockFault("The hostname of the block is no host");
  const path = (optionalTextIn(block, "path") ?? "").replace(/^\/+|\/+$/g, "");
  const folder = path === "" ? "" : `/${path}`;
  const token = encodeURIComponent(blockText(block, "token"));
  return `${scheme}://${host}:${portIn(block, 8065)}${folder}/hooks/${token}`;
}
