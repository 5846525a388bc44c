import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openOutbox, type Outbox } from '../../adapters/mail/outbox.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf, instance, type Instance } from './support/instance.ts'
import { laidDatabase } from '../support/test-database.ts'
import { startTestGuildhall } from '../support/test-guildhall.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'

const cause = { correlationId: 'request', causationId: 'command' }
const about = (key: string) =>
  ({ key, accountId: accountId(snowflake('1')), template: 'password_reset', cause }) as const

let site: Instance

describe('guildhall mails', () => {
  it('prints what waits, was kept or is refused, in pages and without what stands in it', async () => {
    const database = await laidDatabase()
    const key = randomBytes(32)
    const api = await startTestGuildhall({ connection: database.connection, personalDataKey: key })
    onTestFinished(async () => {
      await api.close()
      await database.close()
    })
    const outbox = openOutbox(api.store.database, key)
    for (const number of [1, 2])
      await outbox.add(about(`key ${number}`), { to: 'ada@example.com', subject: 'S', text: 'CANARY' }, 'waiting')
    await outbox.park('1', 'EENVELOPE 550')
    const mails = async (...words: readonly string[]) => {
      const { output, code } = await runHere(['mails', ...words], environmentOf(database.connection, key))
      return { output, code }
    }
    const { output } = await mails('--limit', '1')
    expect(output).toMatch(
      /^2 {2}\S+ {2}waiting {2}password_reset about account 1 to ada@example\.com, 0 tries, next try /,
    )
    expect(output).toMatch(/\nThere are more: --after 2\n$/)
    expect((await mails('--after', '2')).output).toMatch(/^1 .* parked .* EENVELOPE 550\n$/)
    expect((await mails('--state', 'kept')).output).toBe('There are no mails.\n')
    expect(await mails('--state', 'sent')).toMatchObject({ code: 1, output: '' })
    const { output: json } = await mails('--account', '1', '--json')
    expect(JSON.parse(json)).toMatchObject({ mails: [{ id: '2' }, { id: '1' }], has_more: false, next_after: null })
    expect(json).not.toContain('CANARY')
  })
})

describe('guildhall mail', () => {
  let outbox: Outbox

  beforeEach(async () => {
    site = await instance()
    outbox = openOutbox(site.store.database, site.store.personalDataKey)
  })
  afterEach(() => site.close())

  const add = (number: number, to: string): Promise<void> =>
    outbox.add(about(`key ${number}`), { to, subject: `Subject ${number}`, text: `Text ${number}\n` }, 'kept')

  it('prints the kept mails, the newest last, and no more than requested', async () => {
    for (let number = 1; number <= 12; number += 1) await add(number, 'ada@example.com')
    const { code, output } = await site.spawned(['mail'])
    expect(code).toBe(0)
    expect(output.match(/Subject: .*/g)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Subject: Subject ${index + 3}`),
    )
    expect(output).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}to ada@example\.com\nSubject: Subject 3\n\nText 3\n/)
    expect((await site.guildhall(['mail', '--last', '1'])).output.match(/Text \d+/g)).toEqual(['Text 12'])
  })
  it('prints those to one address, however it is written', async () => {
    await add(1, 'ada@example.com')
    await add(2, 'eve@example.com')
    const { output } = await site.guildhall(['mail', '--to', 'ADA@Example.com'])
    expect(output.match(/Text \d+/g)).toEqual(['Text 1'])
    expect((await site.guildhall(['mail', '--to', 'bob@example.com'])).output).toBe(
      'There are no mails to bob@example.com.\n',
    )
  })
  it('prints what a mail server refused, and why', async () => {
    await outbox.add(about('key'), { to: 'ada@example.com', subject: 'S', text: 'T\n' }, 'waiting')
    expect((await site.guildhall(['mail'])).output).toBe('There are no mails.\n')
    const { rows } = await site.store.database.pool.query<{ id: string }>('select id from mail.outbox')
    await outbox.park(rows[0]?.id ?? '', 'EENVELOPE 550')
    expect((await site.guildhall(['mail'])).output).toContain('Not sent: EENVELOPE 550\nSubject: S\n')
  })
})

describe('guildhall mail with impossible arguments', () => {
  beforeAll(async () => {
    site = await instance()
  })
  afterAll(() => site.close())

  it.each([
    [['--last', '0'], '--last 0 is not a number from 1 to 1000'],
    [['--last', '1001'], '--last 1001 is not a number'],
    [['--last', 'all'], '--last all is not a number'],
    [['--to', 'ada'], '--to ada is not an e-mail address'],
  ])('refuses %j', async (words, said) => {
    const ended = await site.guildhall(['mail', ...words])
    expect(ended).toMatchObject({ code: 1, output: '' })
    expect(ended.said).toContain(said)
  })
})
