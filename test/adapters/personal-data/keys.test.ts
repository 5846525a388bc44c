import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import { openPersonalDataKeys } from '../../../adapters/personal-data/open-keys.ts'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'
import { anyAccount } from '../../contract/sample-events.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'

describe.each([
  ['in memory', async () => ({ keys: memoryPersonalDataKeys(), close: async () => undefined })],
  [
    'on Postgres',
    async () => {
      const test = await migratedDatabase()
      const keys = openPersonalDataKeys({ database: test.database, personalDataKey: randomBytes(32) })
      return { keys, close: () => test.close() }
    },
  ],
])('personal data keys %s', (_, open) => {
  let keys: PersonalDataKeys
  let close: () => Promise<void>
  beforeEach(async () => {
    ;({ keys, close } = await open())
  })
  afterEach(() => close())

  it('are 32 random bytes an account, always the same', async () => {
    const [one, other] = [anyAccount(), anyAccount()]
    const made = await keys.keysFor([one, other])
    expect([...made.values()].map(({ length }) => length)).toEqual([32, 32])
    expect(Buffer.from(made.get(one) ?? [])).not.toEqual(Buffer.from(made.get(other) ?? []))
    expect(await keys.keysFor([other, one])).toEqual(made)
    expect(await keys.existingKeys([one, other])).toEqual(made)
  })

  it('are made for nobody who is only asked for', async () => {
    const account = anyAccount()
    expect(await keys.existingKeys([account])).toEqual(new Map())
    expect(await keys.existingKeys([])).toEqual(new Map())
    expect(await keys.existingKeys([account])).toEqual(new Map())
  })

  it('that are destroyed are left out for good, and no others are made', async () => {
    const [gone, stays, never] = [anyAccount(), anyAccount(), anyAccount()]
    const kept = (await keys.keysFor([gone, stays])).get(stays)
    await keys.destroy(gone)
    await keys.destroy(gone)
    await keys.destroy(never)
    expect(await keys.keysFor([gone, stays, never])).toEqual(new Map([[stays, kept]]))
    expect(await keys.existingKeys([gone, stays, never])).toEqual(new Map([[stays, kept]]))
  })

  it('made for many callers at the same moment are each given to those who asked for them', async () => {
    const accounts = Array.from({ length: 5 }, anyAccount)
    const gone = anyAccount()
    await keys.keysFor([gone])
    await keys.destroy(gone)
    const answers = await Promise.all(accounts.map((account) => keys.keysFor([account, gone])))
    expect(answers.map((answer) => [...answer.keys()])).toEqual(accounts.map((account) => [account]))
    expect(await keys.existingKeys(accounts)).toEqual(new Map(answers.flatMap((answer) => [...answer])))
  })

  it('asked for at the same moment are made once', async () => {
    const accounts = [anyAccount(), anyAccount()]
    const answers = await Promise.all(Array.from({ length: 8 }, () => keys.keysFor(accounts)))
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })
})

describe('the table of keys', () => {
  const personalDataKey = randomBytes(32)
  let opened: TestDatabase
  beforeEach(async () => {
    opened = await migratedDatabase()
  })
  afterEach(() => opened.close())

  const open = (key: Uint8Array = personalDataKey) =>
    openPersonalDataKeys({ database: opened.database, personalDataKey: key })
  const tableText = async () =>
    JSON.stringify(
      (
        await opened.database.pool.query(
          "select account_id::text, encode(wrapped_key, 'hex') as wrapped, destroyed_at from personal_data.keys",
        )
      ).rows,
    )

  it('serves several processes that open it at the same moment, with one key an account', async () => {
    const processes = Array.from({ length: 6 }, () => open())
    const account = anyAccount()
    const answers = await Promise.all(processes.map((keys) => keys.keysFor([account])))
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it('holds no key in the clear, and nothing of a destroyed one', async () => {
    const keys = open()
    const account = anyAccount()
    const key = Buffer.from((await keys.keysFor([account])).get(account) ?? [])
    expect(await tableText()).toContain(account)
    expect(await tableText()).not.toContain(key.toString('hex'))
    await keys.destroy(account)
    expect(await tableText()).toMatch(/"wrapped":null,"destroyed_at":"/)
  })

  it('opens with the PERSONAL_DATA_KEY that it was written with alone, and says so', async () => {
    const account = anyAccount()
    await open().keysFor([account])
    await expect(open(randomBytes(32)).keysFor([account])).rejects.toThrow(
      new RegExp(`account ${account} .*PERSONAL_DATA_KEY`),
    )
    expect(() => open(randomBytes(16))).toThrow('PERSONAL_DATA_KEY has 16 bytes, not 32')
  })

  it('gives a key to no account but its own', async () => {
    const [one, other] = [anyAccount(), anyAccount()]
    await open().keysFor([one, other])
    await opened.database.pool.query(
      'update personal_data.keys set wrapped_key = (select wrapped_key from personal_data.keys where account_id = $1) where account_id = $2',
      [one, other],
    )
    await expect(open().existingKeys([other])).rejects.toThrow(`account ${other}`)
  })

  it('destroys a key that this process has read already', async () => {
    const keys = open()
    const account = anyAccount()
    await keys.keysFor([account])
    const reads = Array.from({ length: 4 }, () => keys.existingKeys([account]))
    await keys.destroy(account)
    await Promise.all(reads)
    expect(await keys.existingKeys([account])).toEqual(new Map())
  })
})
