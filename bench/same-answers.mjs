// Makes sure that the servers give the same answers before anyone compares what they cost.
import assert from "node:assert/strict";
import { body } from "./requests.mjs";

const SAMPLES = 200;
const SHAPES = {
  id: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  created: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  updated: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
};

/** Creates some variables on a server, checks each answer to the letter and returns the ids. */
export async function checkAnswers(server) {
  const ids = [];
  for (let i = 0; i < SAMPLES; i += 1) ids.push(await checkOne(server, body(`sample-${i}`)));
  return ids;
}

async function checkOne(server, sent) {
  const created = await answerOf(server, await server.post("/api/variables/", sent), 201);
  const { id, created: at, updated, ...rest } = JSON.parse(created);
  assert.deepEqual(rest, sent, `${server.name}: the answer holds what was sent`);
  const expected = JSON.stringify({ id, created: at, updated, ...sent });
  assert.equal(created, expected, `${server.name}: the fields stand in order`);
  for (const [field, shape] of Object.entries(SHAPES)) {
    assert.match(JSON.parse(created)[field], shape, `${server.name}: ${field}`);
  }
  const found = await answerOf(server, await server.get(`/api/variables/${id}`), 200);
  // PostgreSQL writes blanks into the JSON it builds.
  const compact = JSON.stringify(JSON.parse(found));
  assert.equal(compact, created, `${server.name}: what is read is what was created`);
  return id;
}

async function answerOf({ name }, response, status) {
  assert.equal(response.status, status, `${name}: status`);
  const type = response.headers.get("content-type");
  assert.equal(type, "application/json; charset=utf-8", `${name}: content type`);
  return response.text();
}
