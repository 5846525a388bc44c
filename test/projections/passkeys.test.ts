import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountEvent } from '../../domain/account/events.ts'
import { passkeyQueries } from '../../projections/accounts/passkey-queries.ts'
import { readModels } from '../../projections/read-models.ts'
import { sessionSnapshots } from '../../projections/session-snapshots/queries.ts'
import { account, after, created, joined, registered } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

const added = (number: number, credentialId: string, seconds: number): AccountEvent => ({
  type: 'WebAuthnCredentialRegistered',
  data: {
    accountId: account(number),
    credentialId,
    publicKey: 'cose',
    counter: 0,
    transports: [],
    name: `Key ${credentialId}`,
    registeredAt: after(seconds),
  },
})
const used = (number: number, credentialId: string, seconds: number): AccountEvent => ({
  type: 'WebAuthnCredentialUsed',
  data: { accountId: account(number), credentialId, counter: 1, usedAt: after(seconds) },
})

beforeAll(async () => {
  the = await world()
  projector = await the.projector(readModels)
  await happens(registered(1), registered(2), registered(3), created(1), created(2))
  await happens(joined(1, 1), joined(2, 1))
  await happens(added(1, 'second', 2), added(1, 'first', 1), added(2, 'first', 3), used(1, 'first', 9))
})

afterAll(() => the.close())

describe('passkeys', () => {
  const both = [
    { id: 'first', name: 'Key first', registeredAt: after(1), lastUsedAt: after(9) },
    { id: 'second', name: 'Key second', registeredAt: after(2), lastUsedAt: null },
  ]

  it('are listed oldest first', async () => {
    expect(await passkeyQueries(the.database).ofAccount(account(1))).toStrictEqual(both)
    expect(await passkeyQueries(the.database).ofAccount(account(3))).toStrictEqual([])
  })

  it('belong to the account that registered them first', async () => {
    expect(await passkeyQueries(the.database).holderOf('first')).toBe(account(1))
    expect(await passkeyQueries(the.database).holderOf('third')).toBe(undefined)
  })

  it('are in the session snapshot in their order, once for any number of guilds', async () => {
    expect(await sessionSnapshots(the.database).take(account(1))).toMatchObject({ passkeys: both })
    expect(await sessionSnapshots(the.database).take(account(3))).toMatchObject({ passkeys: [], guilds: [] })
  })
})
