import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { accounts } from '../../../adapters/http/callers.ts'
import { perUser } from '../../../adapters/http/bucket.ts'
import { none, operation } from '../../../adapters/http/operation.ts'
import { nameInput } from '../../../adapters/http/schemas/scalars.ts'
import { syntaxErrorAt } from '../../../adapters/http/request/input/syntax-error-at.ts'
import { expectLinear } from '../../support/growth.ts'
import { property } from '../../support/property.ts'
import { adaToken, startServer } from './support.ts'

/** Decision 107. */

const makeThing = operation({
  name: 'Make thing',
  description: 'Makes a thing.',
  route: 'POST /v1/things',
  callers: accounts(),
  bucket: perUser('thing:make', { requests: 1000, seconds: 1 }),
  body: z.object({
    count: z.int().min(1).max(100).optional(),
    kind: z.union([z.literal(0), z.literal(2)]).optional(),
    colour: z.enum(['red', 'green']).optional(),
    id: z.union([z.string(), z.int()]).optional(),
    title: nameInput({ min: 2, max: 4 }).optional(),
    tags: z.array(z.object({ name: z.string().min(2).max(4) })).max(2),
  }),
  replies: { 204: none },
  handle: async () => undefined,
})

async function errorsOf(body: string): Promise<unknown> {
  const server = await startServer([makeThing])
  const response = await server.fetch('/v1/things', { method: 'POST', token: adaToken, body })
  expect(response.status).toBe(400)
  const { code, errors } = (await response.json()) as { readonly code: string; readonly errors: unknown }
  expect(code).toBe('INVALID_FORM_BODY')
  return errors
}

describe('what is wrong with a value', () => {
  const message = expect.any(String)
  const code = 'INVALID_FORMAT'
  it.each([
    ['it is missing', {}, { path: 'tags', reason: 'missing' }],
    ['a member inside is missing', { tags: [{}] }, { path: 'tags.0.name', reason: 'missing' }],
    ['null is not missing', { tags: null }, { path: 'tags', reason: 'wrong_type', expected: ['array'] }],
    ['its type', { tags: [], count: '1' }, { path: 'count', reason: 'wrong_type', expected: ['number'] }],
    ['a fraction', { tags: [], count: 1.5 }, { path: 'count', reason: 'wrong_type', expected: ['integer'] }],
    ['none of its types', { tags: [], id: [] }, { path: 'id', reason: 'wrong_type', expected: ['string', 'number'] }],
    ['it is too small', { tags: [], count: 0 }, { path: 'count', reason: 'out_of_range', min: 1, max: 100 }],
    ['it is too large', { tags: [], count: 101 }, { path: 'count', reason: 'out_of_range', min: 1, max: 100 }],
    [
      'it is no known value',
      { tags: [], colour: 'blue' },
      { path: 'colour', reason: 'not_one_of', values: ['red', 'green'] },
    ],
    ['a list is long', { tags: [1, 2, 3] }, { path: 'tags', reason: 'wrong_length', max: 2 }],
    ['a text is short', { tags: [{ name: 'a' }] }, { path: 'tags.0.name', reason: 'wrong_length', min: 2, max: 4 }],
  ])('is said: %s', async (_, body, error) => {
    expect(await errorsOf(JSON.stringify(body))).toStrictEqual([{ code, message, ...error }])
  })
  it.each([' a ', 'much too long'])('is said of a text that a rule of its own reads: %s', async (title) => {
    expect(await errorsOf(JSON.stringify({ tags: [], title }))).toStrictEqual([
      { path: 'title', code: 'STRING_LENGTH_INVALID', message, reason: 'wrong_length', min: 2, max: 4 },
    ])
  })
  it('has no bounds if the text keeps them, as a name that nobody can see', async () => {
    expect(await errorsOf(JSON.stringify({ tags: [], title: '\u200b\u200b\u200b' }))).toStrictEqual([
      { path: 'title', code: 'STRING_LENGTH_INVALID', message },
    ])
  })
  it('is said of a body that is not JSON by its position', async () => {
    expect(await errorsOf('{"tags": [],}')).toStrictEqual([
      { path: 'body', code, message: 'The body is not valid JSON.', reason: 'malformed_json', position: 12 },
    ])
  })
  it('has a message of its own', async () => {
    expect(await errorsOf('{}')).toMatchObject([{ message: 'The value is missing.' }])
  })
})

describe('the position of a syntax error', () => {
  it.each([
    ['', 0],
    ['hello', 0],
    ['{"name":', 8],
    ['{"name"}', 7],
    ['{}{}', 2],
    ['{"count":NaN}', 9],
    ['{/**/}', 1],
    ['[1,]', 3],
    ['[1}', 2],
    ['[01]', 2],
    ['"a\nb"', 2],
    ['"a\\x"', 2],
    ['"\\u12g4"', 1],
    ['"open', 5],
    ['["\\\\", "\\\\x" y', 13],
  ])('in %j is %i', (text, position) => {
    expect(syntaxErrorAt(text)).toBe(position)
  })
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '\\',
    '\\u00e4',
    '1',
    '-',
    '.5',
    'e3',
    'null',
    ' ',
  )
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.json(),
    fc.tuple(fc.json(), fc.nat(), pieces).map(([json, at, piece]) => {
      const cut = at % (json.length + 1)
      return json.slice(0, cut) + piece + json.slice(cut)
    }),
  )
  property('exists exactly where the parser refuses, and the text before it could go on', texts, (text) => {
    expect(syntaxErrorAt(text) === undefined).toBe(isJson(text))
    const at = syntaxErrorAt(text)
    if (at !== undefined) expect(syntaxErrorAt(text.slice(0, at))).toSatisfy((end) => end === undefined || end === at)
  })
  it('is found in time that grows with the text', () => {
    for (const part of ['"a\\\\",', '[1,{"a":', '"\\u00', '1.5e3 ,'])
      expectLinear((text) => syntaxErrorAt(`[${text}`), part.repeat(100_000))
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return false
  }
}
