import { request, type IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { accounts } from '../../../adapters/http/callers.ts'
import { echo, getThing, guarded, uploadPicture } from './operations.ts'
import { streamed } from './stream-body.ts'
import { adaToken, codesOf, startServer } from './support.ts'

const path = '/v1/things/1/echo'

async function sent(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<readonly string[]> {
  const server = await startServer([echo])
  const response = await server.fetch(path, { method: 'POST', token: adaToken, body, headers })
  return response.ok ? [JSON.stringify(await response.json())] : codesOf(response)
}

const malformed = ['400 INVALID_FORM_BODY', 'body INVALID_FORMAT']

describe('a body', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'nonsense', 'application/json; charset=utf-16', ''])(
    'is JSON whatever its Content-Type says: %j',
    async (type) => {
      expect(await sent('{"name":"x"}', { 'content-type': type })).toEqual(['{"name":"x"}'])
    },
  )
  it.each(['', ' ', '\r\n\t '])('that is empty or blank, %j, is an empty object', async (body) => {
    expect(await sent(body)).toEqual(['{}'])
  })
  it.each([
    ['text', 'hello'],
    ['an open object', '{"name":'],
    ['two values', '{}{}'],
    ['a byte order mark', '\ufeff{}'],
    ['NaN', '{"count":NaN}'],
    ['a comment', '{/**/}'],
    ['a trailing comma', '{"name":"x",}'],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 5, 0])],
    ['brackets without an end', '['.repeat(100_000)],
    ['100 000 arrays in each other', `{"tags":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['100 000 objects in each other', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('that is %s is refused at `body`', async (_, body) => {
    expect(await sent(body)).toEqual(malformed)
  })
  it.each([['[]'], ['null'], ['"x"'], ['1'], ['true']])(
    'that is %s, not an object, is refused at `root`',
    async (body) => {
      expect(await sent(body)).toEqual(['400 INVALID_FORM_BODY', 'root INVALID_FORMAT'])
    },
  )
  it('with an unknown member is taken without it', async () => {
    expect(await sent('{"name":"x","owner_id":"1","nested":{"deep":"y","more":1}}')).toEqual([
      '{"name":"x","nested":{"deep":"y"}}',
    ])
  })
  it('keeps an empty string empty', async () => {
    expect(await sent('{"name":""}')).toEqual(['{"name":""}'])
  })
  it('with 1e400 for a number is refused', async () => {
    expect(await sent('{"count":1e400}')).toEqual(['400 INVALID_FORM_BODY', 'count INVALID_FORMAT'])
  })
  it('with members such as __proto__ changes no prototype and keeps none of them', async () => {
    const hostile =
      '{"__proto__":{"name":"x","polluted":1},"constructor":{"prototype":{"polluted":1}},"table":{"__proto__":1,"a":2},"nested":{"deep":"d","__proto__":{"deep":1}}}'
    expect(await sent(hostile)).toEqual(['{"table":{"a":2},"nested":{"deep":"d"}}'])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe('a text with a NUL or half a surrogate pair', () => {
  it.each([
    ['in a member', '{"name":"a\\u0000b"}', ['name INVALID_FORMAT']],
    ['in a list', '{"tags":["a","\\ud800"]}', ['tags.1 INVALID_FORMAT']],
    ['deeper', '{"nested":{"deep":"\\udfff x"}}', ['nested.deep INVALID_FORMAT']],
    ['in the name of a member that is kept', '{"table":{"a\\u0000":1}}', ['table.a\0 INVALID_FORMAT']],
    ['beside other faults', '{"name":"\\u0000","count":"x"}', ['count INVALID_FORMAT', 'name INVALID_FORMAT']],
  ])('is refused %s', async (_, body, faults) => {
    expect(await sent(body)).toEqual(['400 INVALID_FORM_BODY', ...faults])
  })
  it('is nobody’s concern where it is not kept', async () => {
    expect(await sent('{"unknown":"\\u0000","name":"\\u00e9"}')).toEqual(['{"name":"é"}'])
  })
  it('is no half where the pair is whole', async () => {
    expect(await sent('{"name":"\\ud83d\\ude00"}')).toEqual(['{"name":"😀"}'])
  })
  it('is refused in a path', async () => {
    const server = await startServer([getThing])
    expect(await codesOf(await server.fetch('/v1/things/1%00'))).toEqual([
      '400 INVALID_FORM_BODY',
      'thing_id INVALID_SNOWFLAKE_FORMAT',
      'thing_id INVALID_FORMAT',
    ])
  })
})

describe('the bounds of a body', () => {
  it('are 1 MiB, by its Content-Length or by what comes of it', async () => {
    const server = await startServer([echo])
    const fits = JSON.stringify({ name: 'x'.repeat(1024 * 1024 - 11) })
    expect(fits.length).toBe(1024 * 1024)
    // The text is longer than its own bound: the test only needs it to be read.
    expect(await codesOf(await server.fetch(path, { method: 'POST', token: adaToken, body: fits }))).toEqual([
      '400 INVALID_FORM_BODY',
      'name CONTENT_EXCEEDS_MAX_LENGTH',
    ])
    const tooLarge = ['400 INVALID_FORM_BODY', 'body TOO_LARGE']
    expect(await codesOf(await server.fetch(path, { method: 'POST', token: adaToken, body: `${fits} ` }))).toEqual(
      tooLarge,
    )
    expect(await streamed(server, path, 2 * 1024 * 1024)).toEqual(tooLarge)
  })
  it('are 16 MiB for an image', async () => {
    const server = await startServer([uploadPicture])
    const image = 'x'.repeat(16 * 1024 * 1024 - 12)
    const response = await server.fetch('/v1/pictures', { method: 'POST', token: adaToken, json: { image } })
    expect(await response.json()).toEqual({ length: image.length })
    const tooLong = ['400 INVALID_FORM_BODY', 'body BASE64_LENGTH_INVALID']
    expect(
      await codesOf(
        await server.fetch('/v1/pictures', { method: 'POST', token: adaToken, json: { image: `${image}x` } }),
      ),
    ).toEqual(tooLong)
    expect(await streamed(server, '/v1/pictures', 20 * 1024 * 1024)).toEqual(tooLong)
  })
  it('are said beside what else is wrong', async () => {
    const server = await startServer([echo])
    const response = await server.fetch('/v1/things/x/echo?limit=0', {
      method: 'POST',
      token: adaToken,
      body: 'x'.repeat(1024 * 1024 + 1),
    })
    expect(await codesOf(response)).toEqual([
      '400 INVALID_FORM_BODY',
      'thing_id INVALID_SNOWFLAKE_FORMAT',
      'limit VALUE_MUST_BE_INTEGER_IN_RANGE',
      'body TOO_LARGE',
    ])
  })
  it('are checked after the credential: nobody sends a long body for nothing', async () => {
    const server = await startServer([echo])
    const response = await server.fetch(path, { method: 'POST', body: 'x'.repeat(3 * 1024 * 1024) })
    expect(response.status).toBe(401)
  })
})

describe('a body that nobody reads', () => {
  it('is ignored', async () => {
    const server = await startServer([guarded(accounts())])
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: adaToken, 'content-length': '5' }
      request(`${server.url}/v1/guarded`, { headers }, resolve).on('error', reject).end('hello')
    })
    answer.resume()
    expect(answer.statusCode).toBe(200)
  })
})
