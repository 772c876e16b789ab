// Writes src/generated from docs/openapi.json. With `--check` it writes nothing and fails where the files differ.
//
// Two things are this package's own choice:
// - Money is a JSON number on the wire and a decimal string here: schemas with the format `decimal` become strings.
// - A string with `x-extensible-enum` is one of the known values or any other string, so that editors suggest the values.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const DOCUMENT = new URL("../../../docs/openapi.json", import.meta.url);
const FOLDER = new URL("../src/generated/", import.meta.url);

const document = JSON.parse(readFileSync(DOCUMENT, "utf8"));
const { schemas } = document.components;
const money = Object.keys(schemas).filter((name) => schemas[name].format === "decimal");
const moneyMembers = findMoneyMembers(schemas);
for (const name of money) {
  const { description } = schemas[name];
  schemas[name] = { type: "string", description: `${description} A decimal string such as "10.50".` };
}
const tree = await openapiTS(
  { ...document, paths: {}, webhooks: undefined, components: { schemas } },
  { transform: suggestKnownValues, alphabetize: true },
);
const header = "// Generated from docs/openapi.json by scripts/types.mjs. Do not edit.\n\n";
const queries = document.paths["/transactions"].get.parameters
  .filter((parameter) => parameter.in === "query")
  .map((parameter) => parameter.name)
  .sort();
const events = Object.fromEntries(
  Object.entries(document.webhooks).map(([type, { post }]) => {
    const { examples } = post.requestBody.content["application/json"];
    return [type, Object.values(examples)[0].value];
  }),
);
const files = {
  "events.ts":
    `${header}/** An example of every event, by its type. */\n` +
    `export const EXAMPLE_EVENTS: Readonly<Record<string, Record<string, unknown>>> = ${JSON.stringify(events, null, 2)};\n`,
  "openapi.ts": header + astToString(tree),
  "members.ts":
    `${header}/** The members of responses and requests that are money. */\n` +
    `export const MONEY_MEMBERS: ReadonlySet<string> = new Set(${JSON.stringify(moneyMembers, null, 2)});\n\n` +
    "/** The query parameters of `GET /transactions`. */\n" +
    `export type TransactionFilter = ${queries.map((name) => JSON.stringify(name)).join(" | ")};\n`,
};
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, FOLDER);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
  } else if (readFileSync(file, "utf8") !== text) {
    console.error(`${name} differs from docs/openapi.json. Run: npm run types`);
    process.exitCode = 1;
  }
}

function suggestKnownValues(schema) {
  const known = schema["x-extensible-enum"];
  if (!known) return undefined;
  const literals = known.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value)));
  const anyString = ts.factory.createParenthesizedType(
    ts.factory.createIntersectionTypeNode([
      ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      ts.factory.createTypeLiteralNode([]),
    ]),
  );
  return ts.factory.createUnionTypeNode([...literals, anyString]);
}

/** The names of all members whose schema is money, alone or beside null. */
function findMoneyMembers(all) {
  const names = new Set();
  const isMoney = (schema) =>
    money.some((name) => schema.$ref === `#/components/schemas/${name}`) || (schema.oneOf ?? []).some(isMoney);
  const visit = (schema) => {
    for (const [name, member] of Object.entries(schema.properties ?? {})) if (isMoney(member)) names.add(name);
    (schema.allOf ?? []).forEach(visit);
  };
  Object.values(all).forEach(visit);
  return [...names].sort();
}
