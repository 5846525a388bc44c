// Writes the types that the client is written against into dist/client-api/, from the documents that `node build.mjs` has written:
// api.d.ts and admin-api.d.ts from OpenAPI, gateway.d.ts from AsyncAPI. Nothing is written where they have not changed.
//
//   node tools/client-types.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { typesOf } from 'guildhall-api-types'
import { whereChanged } from './where-changed.mjs'

const root = path.dirname(import.meta.dirname)
const documents = { 'api.d.ts': 'openapi', 'admin-api.d.ts': 'openapi.admin', 'gateway.d.ts': 'gateway' }
const texts = Object.values(documents).map((name) => readFileSync(path.join(root, `dist/documents/${name}.json`)))
const inputs = [...texts, readFileSync(import.meta.filename), readFileSync(path.join(root, 'package-lock.json'))]

await whereChanged(path.join(root, 'dist/client-api'), inputs, async (folder) => {
  for (const [index, file] of Object.keys(documents).entries()) {
    const document = JSON.parse(texts[index])
    const described = document.asyncapi === undefined ? document : schemasOf(document)
    writeFileSync(path.join(folder, file), await typesOf(described))
  }
})

/**
 * The schemas of an AsyncAPI document as an OpenAPI document. Besides the objects it has `Dispatches`, what `d` is by the name of the
 * dispatch, and `Commands`, what clients send.
 */
function schemasOf({ info, components, operations }) {
  const { messages, schemas } = components
  const sent = new Set(operations.fromClients.messages.map(({ $ref }) => $ref.split('/').at(-1)))
  const dispatches = Object.entries(messages).filter(([, { payload }]) => payload.properties.t !== undefined)
  const commands = Object.entries(messages).filter(([name]) => sent.has(name))
  const all = {
    ...schemas,
    Dispatches: objectOf(
      dispatches.map(([name, { summary, payload }]) => [name, described(payload.properties.d, summary)]),
    ),
    Commands: objectOf(commands.map(([name, { summary, payload }]) => [name, described(payload, summary)])),
  }
  return { openapi: '3.1.0', info, paths: {}, components: { schemas: all } }
}

/** A description beside a reference is read by nobody. */
function described(schema, description) {
  return schema.$ref === undefined ? { description, ...schema } : { description, allOf: [schema] }
}

function objectOf(members) {
  return { type: 'object', properties: Object.fromEntries(members), required: members.map(([name]) => name) }
}
