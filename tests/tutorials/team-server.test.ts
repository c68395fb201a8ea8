import { expect, test } from "vitest";
import { type TutorialReader, walkTutorial } from "./walk.ts";

const KEYS = {
  owner: "orc_3Jt0cX9mQeVb7sYhLrKfA2pWdZnUgT5iM8xoRq1vBwE",
  worker: "orc_8Zy1uJ6oHnGc4dTbEwSxP0mRkVfQ5aLi2X9tYpNqCzM",
};
const TOKEN = "inv_9fQw2Lk7TzXv";

/** What Bob does in a browser. */
async function acceptInvitation({ printed }: TutorialReader): Promise<void> {
  const accepted = await fetch(printed.typed("http://127.0.0.1:4200/api/auth/invitations/accept"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      token: printed.typed(TOKEN),
      name: "Bob",
      password: "a long password of Bob",
    }),
  });
  expect(accepted.status).toBe(200);
}

test("a reader of the tutorial makes a workspace, invites somebody, and gives a worker a key", async () => {
  await walkTutorial("tutorials/team-server.md", {
    lasting: /worker start/,
    examples: {
      [KEYS.owner]: /orc_[\w-]{43}/,
      [KEYS.worker]: /orc_[\w-]{43}/,
      orc_fjXwIp: /orc_[\w-]{6}/,
      [TOKEN]: /[\w-]+/,
      "nimble-kiwi": /[a-z]+-[a-z]+/,
    },
    before: [[/cloud login .*bob@/, acceptInvitation]],
  });
});
