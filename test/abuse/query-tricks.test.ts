import { describe, expect, it } from 'vitest'
import { field } from '../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal, found, listOf } from '../operations/support/answers.ts'
import { messagesPath, sent } from '../operations/support/messages.ts'
import { openScene } from '../operations/support/scene.ts'
import { administrator } from '../support/administrators.ts'

/** Tricks with the queries of lists. */

/** Messages in Ada's guild, oldest first. */
const here: string[] = []
/** Messages in another guild, which Brian is not in, written in between. */
const there: string[] = []

const scene = await openScene()
const other = await found(scene.guildhall, scene.ada, 'Elsewhere')
for (let number = 0; number < 3; number += 1) {
  here.push(await sent(scene.guildhall, scene.ada, scene.home.channel, `here ${number}`))
  there.push(await sent(scene.guildhall, scene.ada, other.channel, `there ${number}`))
}

const ask = (path: string, account = scene.brian) => scene.guildhall.request('GET', path, { token: account.token })
const messages = (query: string) => ask(`${messagesPath(scene.home.channel)}?${query}`)
const texts = async (query: string) =>
  listOf(await messages(query)).flatMap(({ type, content }) => (type === 0 ? [content] : []))

const outOfRange = field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE')
const noNumbers = ['1e1', '0x10', '5.0', '5,0', '1_0', '', 'five', 'NaN', 'Infinity', '-1', '١', '1 0', '9'.repeat(400)]

/** Each list with its highest limit. */
const lists: readonly (readonly [string, () => string, number])[] = [
  ['messages', () => messagesPath(scene.home.channel), 100],
  ['members', () => `/v1/guilds/${scene.home.id}/members`, 1000],
  ['the audit log', () => `/v1/guilds/${scene.home.id}/audit-logs`, 100],
  ['own guilds', () => '/v1/users/@me/guilds', 200],
]

describe.each(lists)('the limit of %s', (_, path, limit_max) => {
  const limited = (query: string) => ask(`${path()}?${query}`, scene.ada)

  it.each(noNumbers)('is refused if it is not a number: %j', async (limit) => {
    expectFields(await limited(`limit=${encodeURIComponent(limit)}`), outOfRange)
  })

  it('is refused out of its range, and if it is repeated', async () => {
    for (const query of [`limit=${limit_max + 1}`, 'limit=1&limit=2', 'limit=1&limit=1'])
      expectFields(await limited(query), outOfRange)
  })

  it.each(['limit=050', 'limit=%2B5', 'limit=%205%20', 'limit[]=1', 'limit[0]=1', 'Limit=1e9', 'limits=0'])(
    'must be a number in base 10: %s',
    async (query) => {
      expect((await limited(query)).status).toBe(200)
    },
  )
})

describe('the cursors of a list', () => {
  it.each(['before', 'after', 'around'])('%s are ids, each given once', async (cursor) => {
    for (const id of ['01', '1e3', '-1', 'x', '', '٣'])
      expectFields(await messages(`${cursor}=${encodeURIComponent(id)}`), field(cursor, 'INVALID_SNOWFLAKE_FORMAT'))
    expectFields(await messages(`${cursor}=9223372036854775808`), field(cursor, 'SNOWFLAKE_OUT_OF_RANGE'))
    expectFields(await messages(`${cursor}=1&${cursor}=2`), field(cursor, 'INVALID_FORMAT'))
    expect((await messages(`${cursor}=9223372036854775807`)).status).toBe(200)
    expect((await messages(`${cursor}[]=x`)).status).toBe(200)
  })

  it.each([
    ['before=1&after=1', 'before'],
    ['around=1&before=1', 'before'],
    ['around=1&after=1', 'after'],
    ['around=1&after=1&before=1', 'before'],
  ])('are exclusive for messages: %s', async (query, path) => {
    expectFields(await messages(query), field(path, 'CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER'))
  })

  it('are exclusive for the audit log; for own guilds the later wins', async () => {
    const log = await ask(`/v1/guilds/${scene.home.id}/audit-logs?before=1&after=1`, scene.ada)
    expectFields(log, field('before', 'CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER'))
    const both = await ask(`/v1/users/@me/guilds?before=${scene.home.id}&after=${scene.home.id}`, scene.ada)
    expect(listOf(both).map(({ id }) => id)).toStrictEqual([other.id])
  })

  it('that name things elsewhere are only numbers, and show nothing of those things', async () => {
    expect(await texts(`before=${there[1]}`)).toStrictEqual(['here 1', 'here 0'])
    expect(await texts(`after=${there[0]}`)).toStrictEqual(['here 2', 'here 1'])
    const around = await texts(`around=${there[1]}&limit=100`)
    expect(around).toStrictEqual(['here 2', 'here 1', 'here 0'])
    const members = await ask(`/v1/guilds/${scene.home.id}/members?after=${scene.carol.id}&limit=10`)
    expect(JSON.stringify(members.body)).not.toContain(scene.carol.id)
    const guilds = listOf(await ask(`/v1/users/@me/guilds?after=${other.id}`))
    expect(guilds.map(({ id }) => id)).toStrictEqual([scene.home.id])
    const [, theirs] = bodyOf(await ask(`/v1/guilds/${other.id}/audit-logs`, scene.ada))[
      'audit_log_entries'
    ] as readonly { readonly id: string }[]
    const log = await ask(`/v1/guilds/${scene.home.id}/audit-logs?before=${theirs?.id ?? there[0]}`, scene.ada)
    expect(JSON.stringify(log.body)).not.toContain(other.id)
  })
})

describe('the query of a search for accounts', async () => {
  const root = await administrator(scene.guildhall, '*')
  const users = (query: string) => ask(`/v1/admin/users?${query}`, root)

  it('takes 100 ids, however they are written, and no list by another name', async () => {
    const ids = (count: number) => Array.from({ length: count }, () => `user_id=${scene.ada.id}`).join('&')
    expect(bodyOf(await users(ids(100)))).toMatchObject({ total: 1 })
    expectFields(await users(ids(101)), field('user_id', 'INVALID_FORMAT'))
    expect(bodyOf(await users(`user_id[]=${scene.ada.id}&q=nobody_at_all`))).toStrictEqual({ users: [], total: 0 })
  })

  it('has a page within its bounds, in base 10', async () => {
    for (const limit of ['1e2', '0x10', '201', '0', '']) expectFields(await users(`limit=${limit}`), outOfRange)
    for (const offset of ['-1', '100001', '1e3'])
      expectFields(await users(`offset=${offset}`), field('offset', 'VALUE_MUST_BE_INTEGER_IN_RANGE'))
    expect((await users('limit=050&offset=%2B0')).status).toBe(200)
  })

  it('is text: neither a pattern nor SQL, and nothing that takes long', async () => {
    const hostile = [
      "' or 1=1 --",
      '%',
      '%%%',
      '_____',
      '\\',
      `${'%_'.repeat(512)}`,
      `${'a_'.repeat(512)}`,
      '\u{1f600}'.repeat(1024),
    ]
    for (const q of hostile)
      expect(bodyOf(await users(`q=${encodeURIComponent(q)}`))).toStrictEqual({ users: [], total: 0 })
    expectFields(await users(`q=${'a'.repeat(10_000)}`), field('q', 'STRING_LENGTH_INVALID'))
    expectFields(await users('q=a%00b'), field('q', 'INVALID_FORMAT'))
    // A head of this length is refused before anything reads it.
    expectRefusal(await users(`q=${'a'.repeat(100 * 1024)}`), 400, 'BAD_REQUEST')
  })
})
