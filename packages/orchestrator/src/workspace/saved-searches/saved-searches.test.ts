import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

const FILTER = {
  object: "flow_run",
  property: "state_name",
  type: "string",
  operation: "any",
  value: ["Late", { deep: [1.5, null] }],
};

interface SearchBody {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
}

const put = (api: TestApi, body: unknown) => api.request("PUT", "/saved_searches/", { body });

describeEachApi("saved searches", (open) => {
  test("are created with 201 and read back the same", async () => {
    await using api = await open();
    const answer = await put(api, { name: "late", filters: [FILTER] });
    const search = answer.body as SearchBody;
    expect(answer).toMatchObject({ status: 201, body: { name: "late", filters: [FILTER] } });
    expect(search.updated).toBe(search.created);
    expect(await api.get(`/saved_searches/${search.id}`)).toMatchObject({
      status: 200,
      body: search,
    });
  });

  test("have no filters unless some are given", async () => {
    await using api = await open();
    expect(await put(api, { name: "all" })).toMatchObject({ status: 201, body: { filters: [] } });
  });

  test("are replaced with 200 by one of the same name, and keep their id", async () => {
    await using api = await open();
    const { id, created } = (await put(api, { name: "late" })).body as SearchBody;
    const answer = await put(api, { name: "late", filters: [FILTER] });
    expect(answer).toMatchObject({ status: 200, body: { id, created, filters: [FILTER] } });
    expect(await api.get(`/saved_searches/${id}`)).toMatchObject({ body: answer.body });
    expect((await api.post("/saved_searches/filter")).body).toHaveLength(1);
  });

  test("of one name that are saved at the same time become one", async () => {
    await using api = await open();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, value) =>
        put(api, { name: "late", filters: [{ ...FILTER, value }] }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 201]);
    expect((await api.post("/saved_searches/filter")).body).toHaveLength(1);
  });

  test("are listed by name, page by page", async () => {
    await using api = await open();
    for (const name of ["b", "c", "a"]) await put(api, { name });
    const names = async (body: unknown) => {
      const answer = await api.post("/saved_searches/filter", body);
      return (answer.body as SearchBody[]).map(({ name }) => name);
    };
    expect(await names({})).toEqual(["a", "b", "c"]);
    expect(await names({ limit: null, offset: null })).toEqual(["a", "b", "c"]);
    expect(await names({ limit: 1, offset: 1 })).toEqual(["b"]);
    expect(await api.post("/saved_searches/filter", { limit: 201 })).toMatchObject({ status: 422 });
  });

  test("are deleted with 204, and then not found", async () => {
    await using api = await open();
    const { id } = (await put(api, { name: "late" })).body as SearchBody;
    expect(await api.delete(`/saved_searches/${id}`)).toMatchObject({ status: 204 });
    for (const unknown of [id, UNKNOWN_ID, "not-an-id"]) {
      for (const method of ["GET", "DELETE"]) {
        expect(await api.request(method, `/saved_searches/${unknown}`)).toMatchObject({
          status: 404,
          body: { detail: expect.any(String) },
        });
      }
    }
  });

  test.each([
    [{}, ["body", "name"], "missing"],
    [{ name: "" }, ["body", "name"], "string_too_short"],
    [{ name: "n".repeat(256) }, ["body", "name"], "string_too_long"],
    [{ name: "x", filters: {} }, ["body", "filters"], "list_type"],
    [{ name: "x", filters: [{}] }, ["body", "filters", 0, "object"], "missing"],
    [{ name: "x", filters: Array(101).fill(FILTER) }, ["body", "filters"], "too_long"],
    [{ name: "x", colour: "red" }, ["body", "colour"], "extra_forbidden"],
  ])("are refused from %j", async (body, loc, type) => {
    await using api = await open();
    const answer = await put(api, body);
    expect(answer.status).toBe(422);
    const [problem] = (answer.body as { exception_detail: unknown[] }).exception_detail;
    expect(problem).toMatchObject({ loc, type });
  });
});
