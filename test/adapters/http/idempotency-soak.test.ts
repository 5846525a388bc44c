import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMessages, type OpenMessages } from '../../../adapters/messages/open-messages.ts'
import type { PostgresIdempotencyRows } from '../../../adapters/http/idempotency/postgres-rows.ts'
import { uuid7 } from '../../../application/commands/derive-id.ts'
import { systemOnce_ms } from '../../../application/conversations/messages/system/post-system-message.ts'
import { keyedOnce_ms } from '../../../application/conversations/messages/create-message.ts'
import { at, message, audience } from '../../contract/messages-fixtures.ts'
import { heldPosition } from '../../support/held-position.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'
import { postgresRows } from './idempotency-support.ts'

const keysPerHour = 15
const answer_bytes = 600

let test: TestDatabase
let messages: OpenMessages
beforeEach(async () => {
  test = await migratedDatabase()
  const { database, notifier } = test
  messages = openMessages({ database, heldPosition, notifier, onError: (error) => expect.fail(String(error)) })
})
afterEach(async () => {
  await messages.close()
  await test.close()
})

/** An hour passes for everything that is kept: time runs as fast as the machine does. */
const passHour = (): Promise<unknown> =>
  test.database.pool.query(`
    update http.idempotency_keys set started_at = started_at - interval '1 hour';
    update messages.posted_once set kept_until = kept_until - interval '1 hour'`)
const count = async (table: string): Promise<number> =>
  Number((await test.database.pool.query<{ count: string }>(`select count(*) from ${table}`)).rows[0]?.count)
const size = async (table: string): Promise<number> =>
  Number(
    (await test.database.pool.query<{ size: string }>(`select pg_total_relation_size('${table}') as size`)).rows[0]
      ?.size,
  )

const idOf = (index: number) => createHash('sha256').update(`key ${index}`).digest()
async function answerKey(rows: PostgresIdempotencyRows, index: number, bytes = answer_bytes): Promise<void> {
  const id = idOf(index)
  const row = { id, fingerprint: id, commandId: uuid7(index, id.subarray(0, 10)), sealedRecipe: Buffer.alloc(230, 1) }
  const claimed = await rows.claim(row)
  if (claimed.outcome !== 'taken') throw new Error(`key ${index} is ${claimed.outcome}`)
  // Sealed data does not compress.
  await rows.answer(claimed.turn, Buffer.concat(Array.from({ length: bytes / 32 }, (_, part) => idOf(part + index))))
}

describe('keys and notes of what was posted once, over nine days', () => {
  it('go when their time is over and not before, and take no more after days than after two', async () => {
    const rows = await postgresRows(test)
    const [keys, notes] = ['http.idempotency_keys', 'messages.posted_once']
    const keyed_hours = keyedOnce_ms / 3_600_000
    const system_hours = systemOnce_ms / 3_600_000
    let settled_bytes = 0
    for (let hour = 0; hour < 216; hour += 1) {
      for (let index = 0; index < keysPerHour; index += 1) await answerKey(rows, hour * keysPerHour + index)
      const post = (low: number, once_ms: number) =>
        messages.messages.post({ message: message(at(hour, low)), once_ms, audience: audience() })
      await Promise.all([post(1, keyedOnce_ms), post(2, systemOnce_ms)])
      await passHour()
      await Promise.all([rows.sweep(), messages.trim()])
      expect(await count(keys)).toBe(Math.min(hour + 1, 23) * keysPerHour)
      expect(await count(notes)).toBe(Math.min(hour + 1, keyed_hours - 1) + Math.min(hour + 1, system_hours - 1))
      if (hour % 24 === 0) await test.database.pool.query(`vacuum ${keys}`)
      if (hour === 48) settled_bytes = await size(keys)
    }
    const [oldest, over] = [(216 - 23) * keysPerHour, (216 - 24) * keysPerHour]
    expect((await rows.find(idOf(oldest)))?.sealedAnswer).not.toBeNull()
    expect(await rows.find(idOf(over))).toBeUndefined()
    expect(await size(keys)).toBeLessThan(2 * settled_bytes)
  })
})

describe('keys that take too much', () => {
  it('go before their time, the oldest first, down to the bound', async () => {
    const keptBytes_max = 512 * 1024
    const rows = await postgresRows(test, { keptBytes_max })
    const others = await Promise.all([1, 2, 3].map(() => postgresRows(test, { keptBytes_max })))
    for (let index = 0; index < 1200; index += 1) await answerKey(rows, index)
    await Promise.all([rows, ...others].map((each) => each.sweep()))
    const kept = await count('http.idempotency_keys')
    expect(kept).toBeGreaterThan(300)
    expect(kept).toBeLessThan(keptBytes_max / answer_bytes)
    expect(await rows.find(idOf(1199 - kept))).toBeUndefined()
    expect((await rows.find(idOf(1200 - kept)))?.sealedAnswer).not.toBeNull()
    // Rows that a transaction could still see when it began outlast one vacuum.
    const vacuumed = async () => {
      await test.database.pool.query('vacuum full http.idempotency_keys')
      return size('http.idempotency_keys')
    }
    await expect.poll(vacuumed).toBeLessThan(keptBytes_max * 1.2)
    // What fits stays.
    await rows.sweep()
    expect(await count('http.idempotency_keys')).toBe(kept)
  })
  it('count with answers of any size, and with more of them than one sweep removes at a time', async () => {
    const keptBytes_max = 512 * 1024
    const rows = await postgresRows(test, { keptBytes_max })
    for (let index = 0; index < 20; index += 1) await answerKey(rows, index, 64 * 1024)
    await rows.sweep()
    const kept = await count('http.idempotency_keys')
    expect(kept).toBeGreaterThan(5)
    expect(kept).toBeLessThan(9)
    await test.database.pool.query(`
      insert into http.idempotency_keys (id, fingerprint, command_id, sealed_recipe, started_at)
      select sha256(n::text::bytea), '', gen_random_uuid(), '', now() - interval '25 hours' from generate_series(1, 25000) n`)
    await rows.sweep()
    expect(await count('http.idempotency_keys')).toBe(kept)
  })
})
