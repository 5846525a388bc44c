import { describe, expect, it } from 'vitest'
import { noStream } from '../../../domain/kernel/position.ts'
import type { OpenEventStore } from './open-event-store.ts'
import { accountStream, anyAccount, collect, metadata, registration } from '../sample-events.ts'

export function personalData(opened: () => OpenEventStore): void {
  describe('personal data', () => {
    it('is returned in the clear, and is nowhere in what is stored', async () => {
      const { store, storedText } = opened()
      const account = anyAccount()
      const event = registration(account)
      await store.append(accountStream(account), noStream, [event])
      expect(await collect(store.readStream(accountStream(account), noStream))).toMatchObject([{ data: event.data }])
      const text = await storedText()
      expect(text).toContain('AccountRegistered')
      for (const secret of ['ada@example', '$argon2id', '1990-12-10']) expect(text).not.toContain(secret)
      expect(text).toContain('$sealed')
    })

    it('that is missing stays null and creates no key', async () => {
      const { store, keys } = opened()
      const account = anyAccount()
      await store.append(accountStream(account), noStream, [
        registration(account, { email: null, passwordHash: null, dateOfBirth: null }),
      ])
      expect(await keys.existingKeys([account])).toEqual(new Map())
      expect(await collect(store.readStream(accountStream(account), noStream))).toMatchObject([
        { data: { email: null } },
      ])
    })

    it('reads as null once the key of its account is destroyed, and that of others does not', async () => {
      const { store, keys, before } = opened()
      const [gone, stays] = [anyAccount(), anyAccount()]
      for (const account of [gone, stays]) await store.append(accountStream(account), noStream, [registration(account)])
      await keys.destroy(gone)
      expect(await collect(store.readAll(before))).toMatchObject([
        { data: { accountId: gone, username: 'ada', email: null, passwordHash: null, dateOfBirth: null } },
        { data: { accountId: stays, username: 'ada', email: 'ada@example.org' } },
      ])
    })

    it('of an account whose key is destroyed is no longer stored', async () => {
      const { store, keys } = opened()
      const account = anyAccount()
      await store.append(accountStream(account), noStream, [registration(account)])
      await keys.destroy(account)
      const started = {
        type: 'SessionStarted',
        data: { accountId: account, tokenHash: 't', startedAt: 'now', ip: '198.51.100.7', userAgent: null },
        metadata: metadata(),
      }
      await store.append(accountStream(account), 0, [started])
      expect(await keys.existingKeys([account])).toEqual(new Map())
      expect(await collect(store.readStream(accountStream(account), 0))).toMatchObject([
        { data: { accountId: account, ip: null } },
      ])
    })
  })
}
