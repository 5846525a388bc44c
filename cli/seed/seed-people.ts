import { accountId } from '../../domain/ids/ids.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { personOf } from './words.ts'
import type { Person, Seeding } from './seeding.ts'

const year_ms = 365 * 86_400_000

/** Makes up a person who exists from an instant on. */
export function newPerson({ chance, past }: Seeding, at_ms: number): Person {
  return { id: accountId(past.idAt(at_ms)), ...personOf(chance), at_ms }
}

/** Registers a person. Nobody can sign in to the account: it has neither an address nor a password. */
export async function registerPerson(seeding: Seeding, person: Person): Promise<void> {
  const { aggregates, past, withoutDiscriminators: alone } = seeding
  const { id, username, globalName, at_ms } = person
  const actor = { kind: 'system', name: 'seed' } as const
  // A running server would release an old claim that has no account yet.
  const claiming = past.contextAt(Date.now(), actor)
  const context = past.contextAt(at_ms, actor)
  const roll = Number(BigInt(id) % 9973n) / 9973
  const claim = { type: 'ClaimHandle', username, accountId: id, roll, ...(alone ? { alone } : {}) } as const
  const { state } = await aggregates.handle.execute(username, claim, claiming, 'initial')
  const held = state.status === 'claimed' ? state.held.find(([, holder]) => holder === id) : undefined
  const register = {
    type: 'RegisterAccount',
    accountId: id,
    username,
    discriminator: held?.[0] ?? 0,
    globalName,
    email: null,
    passwordHash: null,
    dateOfBirth: timestamp(at_ms - 30 * year_ms).slice(0, 10),
    emailVerified: false,
    locale: 'en-US',
    now: context.now,
  } as const
  await aggregates.account.execute(id, register, context, 'initial')
}
