import { expect } from 'vitest'
import { connections } from '../../operations/support/connected.ts'
import type { Client } from '../../gateway/support/client.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'
import { differences } from '../support/differences.ts'
import type { Told } from './play.ts'

/** The dispatches that operations on accounts lead to. */
const followed = [
  'USER_UPDATE',
  'GUILD_MEMBER_UPDATE',
  'RELATIONSHIP_REMOVE',
  'WEBAUTHN_CREDENTIALS_UPDATE',
  'MESSAGE_DELETE_BULK',
]

/** The sessions of accounts at the Gateway, which say what each account was told. */
export function earsOn(guildhall: TestGuildhall) {
  const { connect, end } = connections()
  const ears = new Map<string, { readonly client: Client; place: number }>()
  const heardBy = ({ client, place }: { readonly client: Client; readonly place: number }) =>
    client.dispatches.slice(place).filter(({ t = '' }) => followed.includes(t))

  return {
    end,
    has: (id: string): boolean => ears.has(id),
    /** Connects an account that has no connection. */
    async open(id: string, token: string): Promise<void> {
      if (ears.has(id)) return
      const { client } = await connect(guildhall, { token })
      ears.set(id, { client, place: client.dispatches.length })
    },
    /** Waits until everybody has heard this of a member, and forgets what came before. */
    async catchUp(isIt: (told: Readonly<Record<string, unknown>>) => boolean): Promise<void> {
      for (const ear of ears.values()) {
        await ear.client.until(({ t, d }) => t === 'GUILD_MEMBER_UPDATE' && isIt(d), 'the mark')
        ear.place = ear.client.dispatches.length
      }
    },
    /** Each connection has heard exactly this; that of `ends` no more than this, and it is closed. */
    async expect(told: readonly Told[], ends: string | undefined): Promise<void> {
      for (const [id, ear] of ears) {
        const wanted = told.filter(({ to }) => to === id)
        if (id === ends) {
          await ear.client.closed
          ears.delete(id)
          const names = wanted.map(({ t }) => t)
          expect(heardBy(ear).filter(({ t = '' }) => !names.includes(t))).toStrictEqual([])
          continue
        }
        if (wanted.length > 0)
          await expect.poll(() => heardBy(ear).length, { interval: 10 }).toBeGreaterThanOrEqual(wanted.length)
        compare(heardBy(ear), wanted)
        ear.place = ear.client.dispatches.length
      }
    },
  }
}

export type Ears = ReturnType<typeof earsOn>

const byName = (one: { readonly t?: string }, other: { readonly t?: string }): number =>
  (one.t ?? '').localeCompare(other.t ?? '')

function compare(heard: readonly { readonly t?: string; readonly d: unknown }[], wanted: readonly Told[]): void {
  const found = heard.toSorted(byName)
  const told = wanted.toSorted(byName)
  expect(found.map(({ t }) => t)).toStrictEqual(told.map(({ t }) => t))
  for (const [index, { d }] of told.entries()) expectMembers(found[index]?.d, d)
}

/** A matcher of the runner compares as it likes; everything else as in test/model/news. */
function expectMembers(found: unknown, wanted: unknown): void {
  if (Array.isArray(wanted)) expect(differences(found, wanted, 'what was told')).toStrictEqual([])
  else expect(found).toMatchObject(wanted as object)
}
