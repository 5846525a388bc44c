import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { everyEvent, deletionIsDue, erase } from '../operations/support/erasure.ts'
import { openServer } from '../operations/support/scene.ts'
import { storedParts } from '../../cli/stored-events.ts'
import { exported, imported } from '../cli/support/history-files.ts'
import { instance } from '../cli/support/instance.ts'
import { laidDatabase } from '../support/test-database.ts'
import type { TestAccount } from '../support/test-guildhall.ts'

/** Exports of the history from before and after somebody was erased. */

const personalDataKey = randomBytes(32)
const kept = await laidDatabase()
afterAll(() => kept.close())
const guildhall = await openServer({ connection: kept.connection, personalDataKey })
const { store } = guildhall
const withoutKeys = { stored: storedParts(store).stored }
const withKeys = storedParts(store)

/** An account that wrote one word about itself. Usernames are not secret in the history (decision 18). */
async function planted(): Promise<{ readonly ada: TestAccount; readonly canary: string }> {
  const canary = `canary${randomBytes(6).toString('hex')}`
  const ada = await guildhall.register()
  await guildhall.request('PATCH', '/v1/users/@me', { token: ada.token, body: { bio: `I am ${canary}` } })
  return { ada, canary }
}

/** What an instance reads from some files, one after the other. */
async function readFrom(...files: readonly string[]): Promise<string> {
  const other = await instance(personalDataKey)
  try {
    for (const file of files) await imported(other, file)
    return JSON.stringify(await other.events(), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  } finally {
    await other.close()
  }
}

describe('after somebody is erased', () => {
  it('no export shows them: not an earlier one without keys, not a later one, and not both together', async () => {
    const { ada, canary } = await planted()
    // The search can find the word while it is there.
    expect(await everyEvent(guildhall)).toContain(canary)
    const [before, whole] = [await exported(withoutKeys), await exported(withKeys)]
    expect(await readFrom(whole)).toContain(ada.email)

    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    const [after, afterWithKeys] = [await exported(withoutKeys), await exported(withKeys)]
    expect(afterWithKeys).toContain(`{"kind":"destroyed_key","account":"${ada.id}"`)
    for (const file of [before, whole, after, afterWithKeys]) {
      expect(file).not.toContain(canary)
      expect(file).not.toContain(ada.email)
    }
    // The later export's keys include the erasure, even if an older export with keys was read first.
    for (const read of [await readFrom(before), await readFrom(afterWithKeys), await readFrom(whole, afterWithKeys)]) {
      expect(read).not.toContain(canary)
      expect(read).not.toContain(ada.email)
    }
    expect(await everyEvent(guildhall)).not.toContain(canary)
  })
})
