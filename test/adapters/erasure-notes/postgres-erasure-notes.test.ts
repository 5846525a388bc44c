import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { postgresErasureNotes } from '../../../adapters/erasure-notes/postgres-erasure-notes.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import type { PersonalValues } from '../../../application/ports/erasure-notes.ts'
import { account } from '../../projections/support/people.ts'
import { migratedDatabase } from '../../support/test-database.ts'

const valuesOf = (text: string): PersonalValues => ({
  holders: [account(1)],
  values: [{ kind: 'account.email', text }],
  images: [],
  isCut: false,
  running_count: 0,
  unread_count: 0,
})

async function opened() {
  const { connection, close } = await migratedDatabase()
  onTestFinished(close)
  const database = openDatabase(connection)
  onTestFinished(() => database.close())
  return { database, notes: postgresErasureNotes(database, randomBytes(32)) }
}

it('a note of an account is the first one, until it is removed', async () => {
  const { notes } = await opened()
  expect([await notes.has(account(1)), await notes.find(account(1))]).toEqual([false, undefined])
  await notes.add(account(1), valuesOf('ada@example.org'))
  const first = await notes.find(account(1))
  await notes.add(account(1), valuesOf('less@example.org'))
  expect([await notes.has(account(1)), await notes.find(account(1))]).toEqual([true, first])
  await notes.remove(account(1))
  expect(await notes.has(account(1))).toBe(false)
})

it('a note goes after 90 days', async () => {
  const { database, notes } = await opened()
  for (const number of [1, 2]) await notes.add(account(number), valuesOf('ada@example.org'))
  const age = `update erasure_notes.notes set noted_at = now() - make_interval(days => $2) where account_id = $1`
  await database.pool.query(age, [account(1), 91])
  await database.pool.query(age, [account(2), 89])
  await notes.sweep()
  expect([await notes.has(account(1)), await notes.has(account(2))]).toEqual([false, true])
})

it('a note opens with the key of the instance alone, and for its account alone', async () => {
  const { database, notes } = await opened()
  await notes.add(account(1), valuesOf('ada@example.org'))
  await expect(postgresErasureNotes(database, randomBytes(32)).find(account(1))).rejects.toThrow('authenticate')
  await database.pool.query('update erasure_notes.notes set account_id = $1', [account(2)])
  await expect(notes.find(account(2))).rejects.toThrow('authenticate')
})
