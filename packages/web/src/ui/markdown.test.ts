import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "./markdown.tsx";

const shown = (text: string): string =>
  renderToStaticMarkup(createElement(Markdown, { text })).replace(
    /^<div class="markdown">|<\/div>$/g,
    "",
  );

test.each([
  ["# Report", "<h3>Report</h3>"],
  ["**42** rows, *all* `good`", "<p><strong>42</strong> rows, <em>all</em> <code>good</code></p>"],
  ["- one\n- two", "<ul><li>one</li><li>two</li></ul>"],
  ["1. one\n2. two", "<ol><li>one</li><li>two</li></ol>"],
  ["> said", "<blockquote>said</blockquote>"],
  ["```\na < b\n```", "<pre><code>a &lt; b</code></pre>"],
  ["one\n\n---\n\ntwo", "<p>one</p><hr/><p>two</p>"],
  ["one\ntwo\n\nthree", "<p>one two</p><p>three</p>"],
  ["_all_, (__42__)", "<p><em>all</em>, (<strong>42</strong>)</p>"],
  ["_the order_id_ of it", "<p><em>the order_id</em> of it</p>"],
  ["customer_id and order_id", "<p>customer_id and order_id</p>"],
  ["größe_ä_maß", "<p>größe_ä_maß</p>"],
  ["_ one _ and _private", "<p>_ one _ and _private</p>"],
  ["2 * 3 * 4, 2 ** 3 ** 4", "<p>2 * 3 * 4, 2 ** 3 ** 4</p>"],
  ["un*believ*able", "<p>un<em>believ</em>able</p>"],
])("%j becomes %s", (text, html) => {
  expect(shown(text)).toBe(html);
});

test("a table has a head and rows", () => {
  const html = shown("| a | b |\n|---|---|\n| 1 | 2 |");
  expect(html).toContain("<th>a</th><th>b</th>");
  expect(html).toContain("<td>1</td><td>2</td>");
});

test("a table whose cells are filled up with many spaces is shown at once", {
  timeout: 5000,
}, () => {
  const blank = " ".repeat(40_000);
  const html = shown(`| a |${blank}|\n|---|---|\n|${blank}x |${blank}y |`);
  expect(html).toContain("<th>a</th><th></th>");
  expect(html).toContain("<tr><td>x</td><td>y</td></tr>");
});

test("markup in a text is only text", () => {
  expect(shown("<script>alert(1)</script>")).toBe("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
});

test("a link that would run code stays text", () => {
  expect(shown("[here](javascript:alert(1))")).not.toContain("<a");
  expect(shown("[here](https://example.com)")).toContain('href="https://example.com"');
});

test("an address may have brackets in pairs", () => {
  const html = shown("([a b](https://example.com/a_(b(c))))");
  expect(html).toContain('href="https://example.com/a_(b(c))"');
  expect(html).toMatch(/<\/a>\)<\/p>$/);
});

test("an image is shown", () => {
  expect(shown("![a chart](/chart.png)")).toContain('<p><img src="/chart.png" alt="a chart"/></p>');
});

test("an image that would run code stays text", () => {
  expect(shown("![x](javascript:alert(1))")).not.toContain("<img");
  expect(shown("![x](data:text/html,boo)")).not.toContain("<img");
});

test("a text full of links that do not end is only text", () => {
  const text = "[a](x".repeat(20_000);
  expect(shown(text)).toBe(`<p>${text}</p>`);
});

test("an open fence takes the rest", () => {
  expect(shown("```\nnever closed")).toBe("<pre><code>never closed</code></pre>");
});
