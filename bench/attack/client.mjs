// The attacker: a process of its own, so that what it does keeps neither the server nor the prober
// waiting.
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { quantiles } from "./quantiles.mjs";

const TICK_MS = 5;
const NUMBER = "{n}";
const NUMBER_DIGITS = 12;

let counter = 0;

process.on("message", (attack) => {
  void run(attack).then((report) => process.send(report));
});
process.on("disconnect", () => process.exit());

/** Requests are sent in turn. Those without an answer at the end are broken off and counted. */
async function run({ port, requests, inFlight, total = Number.POSITIVE_INFINITY, ...options }) {
  const { perSecond, seconds } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const state = { statuses: {}, resets: {}, took: [], flying: new Set(), sent: 0 };
  const until = performance.now() + seconds * 1000;
  const prepared = requests.map(({ body, ...rest }) => ({ ...rest, parts: body.split(NUMBER) }));
  const mayGoOn = () => performance.now() < until && state.sent < total;
  const sendNext = () => {
    const next = prepared[state.sent % prepared.length];
    state.sent += 1;
    return send({ port, agent, ...next }, state);
  };
  const keepSending = async () => {
    while (mayGoOn()) await sendNext();
  };
  if (perSecond === undefined) for (let n = 0; n < inFlight; n += 1) void keepSending();
  else await keepPace({ perSecond, inFlight, mayGoOn, sendNext }, state);
  await sleep(until - performance.now());
  state.isOver = true;
  const unanswered = state.flying.size;
  for (const one of state.flying) one.destroy();
  agent.destroy();
  const { statuses, resets, sent, took } = state;
  return { statuses, resets, unanswered, sent, seconds, answers: quantiles(took) };
}

/**
 * What is due does not wait for answers, unless too many are missing: then it is not sent at all.
 */
async function keepPace({ perSecond, inFlight, mayGoOn, sendNext }, state) {
  const began = performance.now();
  for (let due = 0; mayGoOn(); await sleep(TICK_MS)) {
    const now = Math.floor(((performance.now() - began) * perSecond) / 1000);
    for (; due < now; due += 1) if (state.flying.size < inFlight) void sendNext();
  }
}

function send({ port, agent, method, path, headers, parts }, state) {
  const body = parts.length === 1 ? parts[0] : numbered(parts);
  const began = performance.now();
  return new Promise((resolve) => {
    const sending = request({
      port,
      host: "127.0.0.1",
      agent,
      method,
      path,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
    });
    const settle = () => {
      if (state.flying.delete(sending)) resolve();
    };
    state.flying.add(sending);
    sending.on("response", (answer) => {
      count(state.statuses, answer.statusCode);
      answer.resume().on("end", () => state.took.push(performance.now() - began));
      answer.on("error", () => {}).on("close", settle);
    });
    sending.on("error", (error) => {
      if (!state.isOver) count(state.resets, error.code ?? error.message);
      settle();
    });
    sending.on("close", settle);
    sending.end(body);
  });
}

function numbered(parts) {
  return parts.reduce((text, part) => {
    counter += 1;
    return `${text}${String(counter).padStart(NUMBER_DIGITS, "0")}${part}`;
  });
}

function count(tally, what) {
  tally[what] = (tally[what] ?? 0) + 1;
}
