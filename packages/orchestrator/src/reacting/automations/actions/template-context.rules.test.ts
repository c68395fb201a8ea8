import { ModelValue } from "@orchestrator/jinja";
import { describe, expect, test } from "vitest";
import { templates } from "../../../templates/engine.ts";
import { viewFieldsOf } from "./run-view.rules.ts";
import { firingContext, linksTo } from "./template-context.rules.ts";

const firing = (about: object, more: object = {}) =>
  ({
    id: "f",
    automation: { id: "a", name: "watch", description: "", tags: ["x"] },
    trigger: { id: "t", type: "event", posture: "Reactive" },
    triggered: "2026-11-14T09:00:00.000000Z",
    triggering_labels: {},
    triggered_event_id: "e",
    event: {
      id: "e",
      occurred: "2026-11-14T09:00:00.123456Z",
      event: "order",
      resource: {},
      related: [],
      payload: {},
      ...about,
    },
    firings: [],
    ...more,
  }) as never;

const told = (template: string, about: object, more: object = {}) =>
  templates.render(template, firingContext(firing(about, more), linksTo(null))).text;

test.each([
  [null, ""],
  ["https://runs.example.com", "https://runs.example.com"],
  ["https://runs.example.com/team/", "https://runs.example.com/team"],
])("links lead to the web UI where its address is %s", (uiUrl, base) => {
  const resource = { "prefect.resource.id": "prefect.monitor.m1" };
  const context = firingContext(firing({ resource }), linksTo(uiUrl));
  const text = (template: string) => templates.render(template, context).text;
  expect(text("{{ automation|ui_url }}")).toBe(`${base}/automations/automation/a`);
  expect(text("{{ event|ui_url }} {{ event.url }}")).toBe(
    `${base}/events/event/2026-11-14/e ${base}/events/event/2026-11-14/e`,
  );
  expect(text("{{ event.resource|ui_url }}")).toBe(`${base}/monitors/m1`);
  expect(text("{{ event.resource|ui_resource_events_url }}")).toBe(
    `${base}/events?resource=prefect.monitor.m1`,
  );
});

test("links name the workspace where there are several", () => {
  const place = "/accounts/1/workspaces/2";
  const context = firingContext(firing({}), linksTo("https://runs.example.com/", place));
  expect(templates.render("{{ automation|ui_url }}", context).text).toBe(
    `https://runs.example.com${place}/automations/automation/a`,
  );
});

test("resources tell what is behind the kind in their id", () => {
  const about = { resource: { "orchestrator.resource.id": "orchestrator.flow-run.7" } };
  expect(told("{{ event.resource.prefect_object_id('prefect.flow-run') }}", about)).toBe("7");
  expect(told("{{ event.resource.prefect_object_id('prefect.flow') }}", about)).toBe(null);
});

test("resources that have no page have no link", () => {
  expect(
    told("[{{ event.resource|ui_url }}]", { resource: { "prefect.resource.id": "o.7" } }),
  ).toBe("[]");
});

test("related resources are found by any role, also one that every object has", () => {
  const roles = ["flow", "constructor", "toString", "__proto__", "flow"];
  const related = roles.map((role, n) => ({
    "prefect.resource.id": `x.${n}`,
    "prefect.resource.role": role,
  }));
  const first =
    "{% for role, found in event.resource_in_role.items() %}{{ role }} {{ found.id }} {% endfor %}";
  expect(told(first, { related })).toBe("flow x.0 constructor x.1 toString x.2 __proto__ x.3 ");
  const all = "{% for list in event.resources_in_role.values() %}{{ list|length }}{% endfor %}";
  expect(told(all, { related })).toBe("2111");
  const resource = JSON.parse('{"prefect.resource.id": "x", "__proto__": "p"}') as object;
  expect(told("{{ event.resource['__proto__'] }}", { resource })).toBe("p");
});

const ABOUT = {
  resource: {
    "prefect.resource.id": "prefect.flow-run.1",
    "prefect.resource.name": "n",
    "a.b": "c",
    "a.b.d": "e",
  },
  related: [{ "prefect.resource.id": "x", "prefect.resource.role": "flow", team: "ops" }],
  payload: { code: 7, rate: 0.5, nothing: null },
};

// As the established server answers.
describe("events", () => {
  test.each([
    ["{{ event.occurred }}", "2026-11-14 09:00:00.123456+00:00"],
    ["{{ event.occurred.strftime('%d.%m.%Y') }} {{ event.occurred.year }}", "14.11.2026 2026"],
    [
      "{{ event.event }} {{ event.resource.id }} {{ event.resource.name }}",
      "order prefect.flow-run.1 n",
    ],
    ["{{ event.resource['prefect.resource.name'] }} {{ event.resource['name'] }}", "n n"],
    ["{{ event.resource.labels.a.b }} {{ event.resource.labels.a.b.d }}", "c e"],
    ["{{ event.resource.labels['a.b'] }}{{ event.resource.labels.zz }}", "c"],
    ["{{ event.resource.get('a.b') }} {{ event.resource.get('zz', '-') }}", "c -"],
    ["{{ 'a.b' in event.resource }} {{ 'zz' in event.resource }}", "True False"],
    [
      "{{ event.resource }}",
      "root={'prefect.resource.id': 'prefect.flow-run.1', 'prefect.resource.name': 'n', 'a.b': 'c', 'a.b.d': 'e'}",
    ],
    [
      "{{ event.related[0].role }}[{{ event.resource.role }}] {{ event.related.0.name }}",
      "flow[] None",
    ],
    ["{{ event.resource_in_role.flow.id }} {{ event.resource_in_role['zz'] }}", "x "],
    [
      "{{ event.find_resource_label('a.b') }} {{ event.find_resource_label('related:flow:team') }}",
      "c ops",
    ],
    ["{{ event.find_resource_label('zz') }}", "None"],
    ["{{ event.payload }}", "{'code': 7, 'rate': 0.5, 'nothing': None}"],
    ["{{ event.payload.get('zz', 'x') }} {{ event.payload.nothing }}", "x None"],
    ["{{ event.involved_resources|map(attribute='id')|join(' ') }}", "prefect.flow-run.1 x"],
    [
      "{{ event.related|tojson }}",
      '[{"prefect.resource.id": "x", "prefect.resource.role": "flow", "team": "ops"}]',
    ],
    ["{{ firing.triggered }} {{ firing.triggering_event.id }}", "2026-11-14 09:00:00+00:00 e"],
    [
      "{{ automation.name }} {{ automation.tags }} {{ firings|length }} {{ events[0].id }}",
      "watch ['x'] 1 e",
    ],
  ])("%s is %j", (template, text) => {
    expect(told(template, ABOUT)).toBe(text);
  });

  test("labels are told by their names and by the parts of these", () => {
    const more = { triggering_labels: { "a.b": "1", __proto__x: "2", constructor: "c" } };
    const template =
      "{{ labels.a.b }} {{ labels['a.b'] }} {{ labels.constructor }} {{ labels|length }}";
    expect(told(template, {}, more)).toBe("1 1 c 3");
  });
});

describe("runs", () => {
  const run = (state: object | null) => ({
    flow_run: new ModelValue("FlowRunResponse", {
      fields: viewFieldsOf({
        id: "r",
        name: "x",
        state_type: "FAILED",
        start_time: "2026-11-15T09:00:00.000000Z",
        end_time: null,
        total_run_time: 12.5,
        state,
      }),
    }),
  });
  const failed = {
    type: "FAILED",
    name: "Failed",
    message: "boom",
    timestamp: "2026-11-15T09:00:00.123456Z",
  };

  // As the established server answers.
  test.each([
    ["{{ flow_run.state_type }} {{ flow_run.state.type }}", "StateType.FAILED StateType.FAILED"],
    ["{{ flow_run.state.type == 'FAILED' }} {{ flow_run.state.type.value }}", "True FAILED"],
    ["{{ flow_run.state.type|upper }} {{ flow_run.state.type.lower() }}", "FAILED failed"],
    [
      "{{ flow_run.state }} {{ [flow_run.state] }}",
      "Failed('boom') [Failed(message='boom', type=FAILED, result=None)]",
    ],
    ["{{ flow_run.state.is_failed() }} {{ flow_run.state.is_final() }}", "True True"],
    ["{{ flow_run.state.is_running() }} {{ flow_run.state.is_paused() }}", "False False"],
    ["{{ flow_run.state.timestamp }}", "2026-11-15 09:00:00.123456+00:00"],
    ["{{ flow_run.start_time }} {{ flow_run.end_time }}", "2026-11-15 09:00:00+00:00 None"],
    ["{{ flow_run.total_run_time }}", "0:00:12.500000"],
    ["{{ flow_run.total_run_time.total_seconds() }}", "12.5"],
    ["{{ (flow_run.state.timestamp - flow_run.start_time).total_seconds() }}", "0.123456"],
    ["{{ flow_run.state.type|tojson }} {{ flow_run['name'] }}", '"FAILED" x'],
    ["{{ flow_run.nothing.at.all }}", ""],
  ])("%s is %j", (template, text) => {
    expect(templates.render(template, run(failed))).toEqual({ text, problem: null });
  });

  test.each([
    [{ ...failed, name: "Crash it" }, "Crash it('boom', type=FAILED)"],
    [{ ...failed, message: null }, "Failed()"],
    [null, "None"],
  ])("the state %j is told as %s", (state, text) => {
    expect(templates.render("{{ flow_run.state }}", run(state)).text).toBe(text);
  });

  test("as JSON they are what the API hands out", () => {
    expect(templates.render("{{ flow_run|tojson }}", run(failed)).text).toBe(
      '{"end_time": null, "id": "r", "name": "x", "start_time": "2026-11-15T09:00:00Z", "state": {"message": "boom", "name": "Failed", "timestamp": "2026-11-15T09:00:00.123456Z", "type": "FAILED"}, "state_type": "FAILED", "total_run_time": 12.5}',
    );
  });
});

// What the established server makes of the same event.
describe("an event", () => {
  const event = {
    id: "00000000-0000-4000-8000-000000000001",
    occurred: "2026-03-01T12:34:56.789012Z",
    event: "x",
    resource: { "prefect.resource.id": "a.b", "prefect.resource.name": "n" },
    related: [{ "prefect.resource.id": "c", "prefect.resource.role": "r" }],
    payload: { a: 1, t: [1.5, null, "é"] },
    follows: null,
    received: "2026-03-01T12:34:57.000000Z",
  };
  const resource = "{'prefect.resource.id': 'a.b', 'prefect.resource.name': 'n'}";

  test.each([
    ["{{ event.resource.root }}", resource],
    ["{{ event.resource.root['prefect.resource.id'] }}", "a.b"],
    ["{{ event.related[0].root.get('prefect.resource.role') }}", "r"],
    ["{{ event.resource.model_dump() }}", resource],
    ["{{ event.resource.has_all_labels({'prefect.resource.id': 'a.b'}) }}", "True"],
    ["{{ event.resource.has_all_labels({'prefect.resource.id': 'b'}) }}", "False"],
    [
      "{{ event.related[0].as_label_value_array() }}",
      "[{'label': 'prefect.resource.id', 'value': 'c'}, {'label': 'prefect.resource.role', 'value': 'r'}]",
    ],
    ["{{ event.model_dump().resource }}", resource],
    [
      "{{ event.model_dump().occurred }} {{ event.model_dump()['payload'].t }}",
      "2026-03-01 12:34:56.789012+00:00 [1.5, None, 'é']",
    ],
    ["{{ event.model_dump(mode='json').occurred }}", "2026-03-01T12:34:56.789012Z"],
    ["{{ event.model_dump(include=['id', 'event']) }}", `{'event': 'x', 'id': '${event.id}'}`],
    [
      "{{ event.model_dump(exclude={'payload': True, 'id': True}, exclude_none=True)|list }}",
      "['occurred', 'event', 'resource', 'related', 'received']",
    ],
    [
      "{{ event.model_dump_json(include=['event', 'payload', 'follows', 'received']) }}",
      '{"event":"x","follows":null,"received":"2026-03-01T12:34:57Z","payload":{"a":1,"t":[1.5,null,"é"]}}',
    ],
    [
      "{{ event.model_dump_json(indent=2, include=['event', 'payload']) }}",
      '{\n  "event": "x",\n  "payload": {\n    "a": 1,\n    "t": [\n      1.5,\n      null,\n      "é"\n    ]\n  }\n}',
    ],
    [
      "{{ event.json() == event.model_dump_json() and event.dict() == event.model_dump() }}",
      "True",
    ],
    ["{{ event.labels.model_dump }}{{ event.resource.labels.model_dump }}", ""],
  ])("is asked %s", (template, text) => {
    expect(told(template, event)).toBe(text);
  });

  test.each([
    ["format('YYYY-MM-DD')", "2026-03-01"],
    ["format('LLLL LT L')", "Sunday, March 1, 2026 12:34 PM 12:34 PM 03/01/2026"],
    [
      "in_tz('Europe/Berlin').format('dddd, MMMM Do YYYY, h:mm:ss A z Z ZZ X x E DDDD DDD [at] SSS SSSSSS ss H')",
      "Sunday, March 1st 2026, 1:34:56 PM Europe/Berlin +01:00 +0100 1772368496 1772368496789 7 060 60 at 789 789012 56 13",
    ],
    ["format('\\\\Y D[D]')", "Y 1D"],
    ["date().format('MMM D')", "Mar 1"],
    ["timezone_name", "UTC"],
    ["to_rfc3339_string()", "2026-03-01T12:34:56.789012+00:00"],
    ["to_day_datetime_string()", "Sun, Mar 1, 2026 12:34 PM"],
    ["to_formatted_date_string()", "Mar 01, 2026"],
  ])("tells its time by %s", (asked, text) => {
    expect(told(`{{ event.occurred.${asked} }}`, event)).toBe(text);
  });

  test("is not dumped for ever", () => {
    const payload = { list: Array.from({ length: 5000 }, (_, n) => n) };
    const often =
      "{% for a in range(100) %}{% for b in range(100) %}{% set x = event.model_dump() %}{% endfor %}{% endfor %}";
    const context = firingContext(firing({ ...event, payload }), linksTo(null));
    expect(templates.render(often, context).problem?.message).toMatch(/takes too/);
  });
});
