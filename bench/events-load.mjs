// Sends events by request and by socket, and listens for what comes of them. Every event has an id
// of its own.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { requireFromKernel } from "./sqlite.mjs";

const { WebSocket } = requireFromKernel("ws");

const RESOURCES = 100;
/**
 * As the established client does: it takes the answer to a ping as the sign that all before it is
 * stored.
 */
const CONFIRM_EVERY = 700;

let sent = 0;

/** An event like that of a run: a few labels, four related resources, a small payload. */
function makeEvent(name) {
  sent += 1;
  const run = `prefect.flow-run.${sent % RESOURCES}`;
  return {
    id: randomUUID(),
    occurred: new Date().toISOString(),
    event: name,
    resource: {
      "prefect.resource.id": run,
      "prefect.resource.name": `run ${sent % RESOURCES}`,
      "prefect.state-type": "RUNNING",
      "prefect.run-count": "1",
    },
    related: ["flow", "deployment", "work-pool", "tag"].map((role) => ({
      "prefect.resource.id": `prefect.${role}.${sent % 10}`,
      "prefect.resource.role": role,
      "prefect.resource.name": `${role} ${sent % 10}`,
    })),
    payload: { intended: { from: "PENDING", to: "RUNNING" }, number: sent },
  };
}

/** Requests of so many events on some connections, each the next when the last is answered. */
export async function sendByRequest(server, { name, seconds, connections, perRequest }) {
  const until = performance.now() + seconds * 1000;
  const tally = { events: 0, errors: {} };
  const keepSending = async () => {
    while (performance.now() < until) {
      const batch = Array.from({ length: perRequest }, () => makeEvent(name));
      const response = await server.post("/api/events", batch);
      await response.arrayBuffer();
      if (response.status === 204) tally.events += perRequest;
      else tally.errors[response.status] = (tally.errors[response.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, keepSending));
  return tally;
}

/**
 * One event per message on some sockets; each waits for a pong now and then, and for one at the
 * end.
 */
export async function sendBySocket(server, { name, seconds, connections }) {
  const until = performance.now() + seconds * 1000;
  const tally = { events: 0, errors: {} };
  const keepSending = async () => {
    const socket = await openSocket(server, "/api/events/in");
    while (performance.now() < until) {
      for (let n = 0; n < CONFIRM_EVERY; n += 1) socket.send(JSON.stringify(makeEvent(name)));
      socket.ping();
      await once(socket, "pong");
      tally.events += CONFIRM_EVERY;
    }
    socket.terminate();
  };
  await Promise.all(Array.from({ length: connections }, keepSending));
  return tally;
}

async function openSocket(server, path) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, ["orchestrator"]);
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "auth", token: null }));
  await once(socket, "message");
  return socket;
}

/**
 * Sends events one at a time, at a steady pace, and tells for each after how many milliseconds a
 * listener has heard that the action it causes was carried out.
 */
export async function timeActions(server, { name, count, everyMs }) {
  const socket = await openSocket(server, "/api/events/out");
  const sentAt = new Map();
  const took = [];
  const done = Promise.withResolvers?.() ?? deferred();
  socket.on("message", (data) => {
    const { event } = JSON.parse(data);
    for (const labels of event.related) {
      const at = sentAt.get(labels["orchestrator.resource.id"]?.split(".event.")[1]);
      if (at !== undefined) took.push(performance.now() - at);
    }
    if (took.length >= count) done.resolve();
  });
  const filter = { event: { name: ["orchestrator.automation.action.executed"] } };
  socket.send(JSON.stringify({ type: "filter", filter, backfill: false }));
  const send = async () => {
    const event = makeEvent(name);
    sentAt.set(event.id, performance.now());
    await server.post("/api/events", [event]);
  };
  // Listening begins a moment after the message has come; on a busy machine that is a long one.
  for (let tries = 0; took.length === 0; tries += 1) {
    if (tries === 60) throw new Error("No action was carried out within half a minute");
    await send();
    await pause(500);
  }
  sentAt.clear();
  took.length = 0;
  for (let n = 0; n < count; n += 1) {
    await send();
    await pause(everyMs);
  }
  const patience = setTimeout(() => done.resolve(), 30_000);
  await done.promise;
  clearTimeout(patience);
  socket.terminate();
  return took;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
