import { describe, expect, it } from 'vitest'
import { echo, getThing } from './operations.ts'
import { adaToken, codesOf, startServer } from './support.ts'

describe('a refusal of input', () => {
  it('has all that is wrong with path, query, header and body, each once', async () => {
    const server = await startServer([echo])
    const response = await server.fetch('/v1/things/01/echo?limit=1e2', {
      method: 'POST',
      token: adaToken,
      json: { name: 1, tags: ['a', 2, 3], nested: {} },
      headers: { 'idempotency-key': 'x'.repeat(256) },
    })
    expect(await codesOf(response)).toEqual([
      '400 INVALID_FORM_BODY',
      'thing_id INVALID_SNOWFLAKE_FORMAT',
      'limit VALUE_MUST_BE_INTEGER_IN_RANGE',
      'Idempotency-Key STRING_LENGTH_INVALID',
      'name INVALID_FORMAT',
      'tags.1 INVALID_FORMAT',
      'tags.2 INVALID_FORMAT',
      'nested.deep INVALID_FORMAT',
    ])
  })
  it('comes after the check of callers', async () => {
    const server = await startServer([echo])
    expect((await server.fetch('/v1/things/x/echo', { method: 'POST', body: 'x' })).status).toBe(401)
  })
})

describe('an id in a path', () => {
  it.each([
    ['9223372036854775808', 'SNOWFLAKE_OUT_OF_RANGE'],
    ['18446744073709551616', 'SNOWFLAKE_OUT_OF_RANGE'],
    ['1'.repeat(40), 'SNOWFLAKE_OUT_OF_RANGE'],
    ['-1', 'INVALID_SNOWFLAKE_FORMAT'],
    ['01', 'INVALID_SNOWFLAKE_FORMAT'],
    ['%2B1', 'INVALID_SNOWFLAKE_FORMAT'],
    ['1e3', 'INVALID_SNOWFLAKE_FORMAT'],
    ['1.5', 'INVALID_SNOWFLAKE_FORMAT'],
    ['0x10', 'INVALID_SNOWFLAKE_FORMAT'],
    ['%D9%A1', 'INVALID_SNOWFLAKE_FORMAT'],
    ['x'.repeat(5000), 'INVALID_SNOWFLAKE_FORMAT'],
  ])('that is %s is refused with %s', async (id, code) => {
    const server = await startServer([getThing])
    expect(await codesOf(await server.fetch(`/v1/things/${id}`))).toEqual(['400 INVALID_FORM_BODY', `thing_id ${code}`])
  })
  it('is never rounded', async () => {
    const server = await startServer([getThing])
    const response = await server.fetch('/v1/things/9223372036854775807')
    expect(await response.json()).toMatchObject({ id: '9223372036854775807' })
  })
})

describe('a query', () => {
  const read = async (query: string) => {
    const server = await startServer([getThing])
    const response = await server.fetch(`/v1/things/1?${query}`)
    return response.ok ? response.json() : codesOf(response)
  }

  it.each([
    ['true', true],
    ['True', true],
    ['1', true],
    ['%20true%20', true],
    ['TRUE', false],
    ['FALSE', false],
    ['yes', false],
    ['', false],
  ])('has a boolean that is true only for true, True and 1: %s', async (value, expected) => {
    expect(await read(`dry_run=${value}`)).toMatchObject({ dry_run: expected })
  })
  it.each([
    ['limit=050', 50],
    ['limit=%2050%20', 50],
    ['limit=200', 200],
    ['', 50],
  ])('has whole numbers in base 10, trimmed: %s', async (query, limit) => {
    expect(await read(query)).toMatchObject({ limit })
  })
  it.each([
    'limit=0',
    'limit=201',
    'limit=1e2',
    'limit=0x10',
    'limit=1.0',
    'limit=',
    'limit=5&limit=6',
    'limit=Infinity',
    'limit=%D9%A5',
  ])('refuses a number out of its bounds or of another form: %s', async (query) => {
    expect(await read(query)).toEqual(['400 INVALID_FORM_BODY', 'limit VALUE_MUST_BE_INTEGER_IN_RANGE'])
  })
  it('has a name that is repeated as a list, and one occurrence as one element', async () => {
    expect(await read('user_id=1&user_id=2')).toMatchObject({ user_id: ['1', '2'] })
    expect(await read('user_id=1')).toMatchObject({ user_id: ['1'] })
    expect(await read('user_id[]=1')).toMatchObject({ user_id: [] })
    expect(await read('user_id=1&user_id=x')).toEqual(['400 INVALID_FORM_BODY', 'user_id.1 INVALID_SNOWFLAKE_FORMAT'])
    const many = Array.from({ length: 101 }, (_, index) => `user_id=${index}`).join('&')
    expect(await read(many)).toEqual(['400 INVALID_FORM_BODY', 'user_id INVALID_FORMAT'])
  })
  it('refuses a scalar whose name is repeated', async () => {
    expect(await read('after=1&after=2')).toEqual(['400 INVALID_FORM_BODY', 'after INVALID_FORMAT'])
  })
  it('may have names such as __proto__', async () => {
    expect(await read('__proto__=1&constructor=2&__proto__[limit]=7')).toMatchObject({ limit: 50 })
  })
})
