// What is asked of the servers, as whole HTTP requests.

export const body = (name) => ({
  name,
  value: { region: "eu-west-1", replicas: 3 },
  tags: ["bench", "prod"],
});

const LIST_CONNECTIONS = 4;
const CONNECTIONS = 64;

/** The load generator puts a number that is used once in the place of `#########`. */
export const createLoad = () => ({
  connections: CONNECTIONS,
  expectedStatus: "201",
  requests: [postRequest("/api/variables/", body("bench-#########"))],
});

export const readLoad = (ids) => ({
  connections: CONNECTIONS,
  expectedStatus: "200",
  requests: ids.map((id) => `GET /api/variables/${id} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`),
});

/** A list or a count: dearer than a record, so fewer of them at a time. */
export const listLoad = (path, condition) => ({
  connections: LIST_CONNECTIONS,
  expectedStatus: "200",
  requests: [postRequest(path, condition)],
});

export function postRequest(path, content) {
  const text = JSON.stringify(content);
  return (
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
    `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
}
