import { describe, expect, it } from 'vitest'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { isSchema } from '../../adapters/http/operation.ts'
import { administrator } from '../support/administrators.ts'
import { openServer } from '../operations/support/scene.ts'

/** An id in an invalid spelling, or one that a number would round. */

const guildhall = await openServer()
const root = await administrator(guildhall, '*')

const outOfRange = ['9223372036854775808', '18446744073709551616', '1'.repeat(40)]
const misspelt = ['-1', '007', '+1', '1e3', '1.5', '0x10', '١٢٣', '１２３', '1 1', 'null']
const spellings = [...outOfRange, ...misspelt]

/** Parameters that are codes, tokens, values of lists and names in history, not ids. */
const noIds: ReadonlySet<string> = new Set([
  'code',
  'emoji',
  'invite_code',
  'token',
  'credential_id',
  'value',
  'registration_url_id',
  'category_id',
  'subject_type',
  'stream',
  'subject',
  'address',
])

const withIds = allOperations.flatMap((operation) => {
  const parameters = [...operation.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return parameters
    .filter((name) => !noIds.has(name) && !(operation.name === 'Explain history' && name === 'id'))
    .map((parameter) => ({ operation, parameter, parameters }))
})

describe('an id in a path', () => {
  it('occurs in operations of every area', () => {
    expect(withIds.length).toBeGreaterThan(20)
  })

  it.each(withIds.map((each) => ({ name: `${each.parameter} of ${each.operation.name}`, ...each })))(
    '$name accepts one spelling',
    ({ operation, parameter, parameters }) => {
      if (!isSchema(operation.params)) throw new Error('An operation with parameters reads none')
      const others = Object.fromEntries(parameters.map((name) => [name, name === 'subject_type' ? 'user' : '1']))
      for (const spelling of spellings) {
        const read = operation.params.safeParse({ ...others, [parameter]: spelling })
        const codes = read.success ? [] : read.error.issues.filter(({ path }) => path[0] === parameter)
        expect({ spelling, refused: codes.length }).toEqual({ spelling, refused: 1 })
      }
      expect(operation.params.safeParse({ ...others, [parameter]: '9223372036854775807' }).success).toBe(true)
    },
  )

  it('is refused by its code by a request', async () => {
    for (const [method, path] of [
      ['GET', '/v1/guilds/'],
      ['GET', '/v1/users/'],
      ['GET', '/v1/oauth2/applications/'],
      ['GET', '/v1/admin/audit-logs/'],
    ] as const) {
      for (const spelling of spellings) {
        const answer = await guildhall.request(method, path + encodeURIComponent(spelling), { token: root.token })
        const codes = (answer.body as { readonly errors?: readonly { readonly code: string }[] }).errors
        expect({ path, spelling, status: answer.status, codes: codes?.map(({ code }) => code) }).toEqual({
          path,
          spelling,
          status: 400,
          codes: [outOfRange.includes(spelling) ? 'SNOWFLAKE_OUT_OF_RANGE' : 'INVALID_SNOWFLAKE_FORMAT'],
        })
      }
    }
  })
})

describe('an id in a body', () => {
  it.each([...spellings.map((text) => JSON.stringify(text)), ...outOfRange, '-1', '1.5', '1e400', 'true', '{}'])(
    'that is %s is refused, and nothing of the body is stored',
    async (id) => {
      const { token } = await guildhall.register()
      const body = `{"developer_mode":true,"restricted_guilds":[${id}]}`
      const answer = await guildhall.request('PATCH', '/v1/users/@me/settings', { token, body })
      expect(answer.status).toBe(400)
      const { body: settings } = await guildhall.request('GET', '/v1/users/@me/settings', { token })
      expect(settings).toMatchObject({ developer_mode: false, restricted_guilds: [] })
    },
  )

  it('is never rounded', async () => {
    const { token } = await guildhall.register()
    const body = { restricted_guilds: ['9223372036854775807', '9007199254740993'] }
    const { body: settings } = await guildhall.request('PATCH', '/v1/users/@me/settings', { token, body })
    expect(settings).toMatchObject(body)
    const integers = '{"restricted_guilds":[9223372036854775807,9007199254740993]}'
    const answer = await guildhall.request('PATCH', '/v1/users/@me/settings', { token, body: integers })
    expect(answer.body).toMatchObject(body)
  })
})
