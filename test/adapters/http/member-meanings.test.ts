import { expect, it } from 'vitest'
import { z } from 'zod'
import { apiDocument } from '../../../adapters/http/openapi/document.ts'
import { memberMeanings } from '../../../adapters/http/openapi/member-meanings.ts'
import { allOperations } from '../../../adapters/http/operations/all-operations.ts'

type Json = Readonly<Record<string, unknown>>

const record = z.record(z.string(), z.unknown())
const records = z.array(record).default([])
const shape = z.looseObject({
  $ref: z.string().optional(),
  description: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), record).default({}),
  items: record.optional(),
  additionalProperties: record.optional().catch(undefined),
  anyOf: records,
  oneOf: records,
  allOf: records,
})
const answered = z.object({ content: z.record(z.string(), z.object({ schema: record })) })
const described = z.object({
  summary: z.string(),
  parameters: z.array(z.looseObject({ name: z.string().optional(), schema: record.optional() })),
  requestBody: answered.optional(),
  responses: z.record(z.string(), answered.partial()),
})

const document = apiDocument(allOperations, { title: 'Test', version: '1' })
const { paths, components } = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), described)),
    components: z.object({ schemas: z.record(z.string(), record) }),
  })
  .parse(JSON.parse(JSON.stringify(document)))
const operations = Object.values(paths).flatMap((item) => Object.values(item))

interface Member {
  /** What it belongs to, and its own name. */
  readonly path: string
  readonly schema: Json
}

/** The members of a schema, and theirs. `met` are the components that were met before. */
function membersOf(owner: string, given: Json, met: Set<string>): readonly Member[] {
  const { $ref, properties, items, additionalProperties, anyOf, oneOf, allOf } = shape.parse(given)
  const id = $ref?.split('/').at(-1)
  if (id !== undefined && !met.has(id)) return membersOf(id, components.schemas[id] ?? {}, met.add(id))
  return [
    ...Object.entries(properties).flatMap(([name, schema]) => [
      { path: `${owner}.${name}`, schema },
      ...membersOf(name, schema, met),
    ]),
    ...[items, additionalProperties, ...anyOf, ...oneOf, ...allOf].flatMap((each) =>
      each ? membersOf(owner, each, met) : [],
    ),
  ]
}

const met = new Set<string>()
const asked = operations.flatMap(({ summary, parameters, requestBody }) => [
  ...parameters.flatMap(({ name, schema, ...rest }) =>
    name === undefined || schema === undefined ? [] : [{ path: `${summary}.${name}`, schema: { ...schema, ...rest } }],
  ),
  ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => membersOf(summary, schema, met)),
])
const answers = operations.flatMap(({ summary, responses }) =>
  Object.values(responses).flatMap(({ content = {} }) =>
    Object.values(content).flatMap(({ schema }) => membersOf(summary, schema, met)),
  ),
)

const bounds = ['enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems']

/** Whether a schema says what it takes: by its values and bounds if it is a text or a list, in words otherwise. */
function isTold(given: Json): boolean {
  const { $ref, description, type, anyOf, oneOf, properties } = shape.parse(given)
  if (description !== undefined || type === 'null') return true
  if ($ref !== undefined) return isTold(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  const choices = [...anyOf, ...oneOf]
  if (choices.length > 0) return choices.every(isTold)
  if (type === 'object') return Object.keys(properties).length > 0
  const isTextOrList = [type].flat().every((each) => ['string', 'array', 'null'].includes(each ?? ''))
  return (isTextOrList || 'const' in given) && bounds.some((bound) => bound in given)
}

it('every member of a request says what it takes: texts and lists at least their bounds, all others what they mean', () => {
  expect(asked.length).toBeGreaterThan(1000)
  expect(asked.filter(({ schema }) => !isTold(schema)).map(({ path }) => path)).toEqual([])
})

it('numbers and booleans of an answer say what they mean', () => {
  const needsWords = ({ schema }: Member): boolean =>
    [schema['type']].flat().some((type) => ['integer', 'number', 'boolean'].includes(String(type)))
  expect(answers.filter((member) => needsWords(member) && !isTold(member.schema)).map(({ path }) => path)).toEqual([])
})

it('no integer has bounds that are those of JSON alone', () => {
  expect(JSON.stringify(document)).not.toMatch(/9007199254740991/)
})

it('every meaning is one of a member of a request that exists', () => {
  const said = new Set<string>()
  for (const { path, schema } of asked)
    for (const key of [path, path.slice(path.lastIndexOf('.') + 1)])
      if (shape.parse(schema).description?.startsWith(memberMeanings.get(key) ?? '\0') === true) said.add(key)
  const isShown = ([key]: [string, string]): boolean => said.has(key)
  const unseen = [...memberMeanings].filter((each) => !isShown(each))
  expect(unseen.map(([key]) => key)).toEqual([])
})
