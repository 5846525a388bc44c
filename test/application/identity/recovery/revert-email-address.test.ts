import { describe, expect, it } from 'vitest'
import { finishUnfinished } from '../../../../application/processes/finish-unfinished.ts'
import { revertEmailTicket } from '../../../../application/identity/recovery/mailed-tokens.ts'
import { revert_s } from '../../../../domain/account/state.ts'
import { claimIdentity } from '../../../../application/identity/single-sign-on/claim-identity.ts'
import { revertEmailAddress } from '../../../../application/identity/recovery/revert-email-address.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { fieldsOf } from '../../support/refusals.ts'
import { Died, world, type World } from '../../support/world.ts'

const [before, after] = ['Ada@example.com', 'thief@example.com']
const invalidToken = [field('token', 'INVALID_OR_EXPIRED_REVERT_TOKEN')]

/** An account whose address was changed a minute ago; returns the token that reverts the change. */
async function changed(on: World): Promise<{ readonly id: AccountId; readonly token: string }> {
  const id = await on.newcomer('Ada')
  const { aggregates, addressHash, tickets } = on.ports
  const { context } = on.requester()
  const claim = { type: 'ClaimAddress', addressHash: addressHash(after), accountId: id } as const
  await aggregates.emailAddress.execute(addressHash(after), claim, context)
  const change = { type: 'ChangeEmailAddress', email: after, from: before, verified: true, now: context.now } as const
  await aggregates.account.execute(id, change, context)
  const hash = addressHash(before)
  await aggregates.emailAddress.execute(hash, { type: 'ReleaseAddress', addressHash: hash, accountId: id }, context)
  const payload = { accountId: id, email: before, changedAt: context.now }
  const token = await tickets.issue(revertEmailTicket, payload, revert_s, id)
  on.wait(60_000)
  return { id, token }
}

const revert = (on: World, token: string) =>
  revertEmailAddress(on.ports)(on.requester(), { token, password: 'a new password' })

async function holderOf({ ports }: World, address: string): Promise<string> {
  const { state } = await ports.aggregates.emailAddress.load(ports.addressHash(address))
  return state.status === 'held' ? state.accountId : 'nobody'
}

async function addressOf({ ports }: World, id: AccountId): Promise<string | null> {
  const { state } = await ports.aggregates.account.load(id)
  return state.status === 'registered' ? state.email : null
}

/** What a process manager does an hour later. */
async function finish(on: World): Promise<void> {
  on.wait(3_600_000)
  await on.ports.readModels.reached(on.requester().context.written)
  const { failures } = await finishUnfinished(on.ports)(on.now, on.now)
  expect(failures).toStrictEqual([])
}

describe('reverting the change of an e-mail address', () => {
  it('is possible for 24 hours', async () => {
    const on = world()
    const { token } = await changed(on)
    on.wait(24 * 3_600_000)
    expect(await fieldsOf(revert(on, token))).toStrictEqual(invalidToken)
  })

  it('can be repeated if the process died before the account was restored', async () => {
    const on = world()
    const { id, token } = await changed(on)
    on.dieBefore('EmailAddressChanged')
    await expect(revert(on, token)).rejects.toThrow(Died)
    on.restart()
    expect(await revert(on, token)).toMatchObject({ user_id: id })
    expect(await addressOf(on, id)).toBe(before)
    expect([await holderOf(on, before), await holderOf(on, after)]).toStrictEqual([id, 'nobody'])
  })

  it('releases the earlier address again if nobody repeats it', async () => {
    const on = world()
    const { id, token } = await changed(on)
    on.dieBefore('EmailAddressChanged')
    await expect(revert(on, token)).rejects.toThrow(Died)
    on.restart()
    await finish(on)
    expect(await addressOf(on, id)).toBe(after)
    expect([await holderOf(on, before), await holderOf(on, after)]).toStrictEqual(['nobody', id])
  })

  it('releases the later address if the process died before', async () => {
    const on = world()
    const { id, token } = await changed(on)
    on.dieBefore('EmailAddressReleased')
    await expect(revert(on, token)).rejects.toThrow(Died)
    on.restart()
    await finish(on)
    expect(await addressOf(on, id)).toBe(before)
    expect([await holderOf(on, before), await holderOf(on, after)]).toStrictEqual([id, 'nobody'])
    expect(await fieldsOf(revert(on, token))).toStrictEqual(invalidToken)
    expect(await holderOf(on, before)).toBe(id)
  })
})

describe('reverting a change after which a thief linked an identity', () => {
  const identityHash = 'hash of the thief'

  async function stolen(on: World): Promise<Awaited<ReturnType<typeof changed>>> {
    const { id, token } = await changed(on)
    const { context } = on.requester()
    await claimIdentity(on.ports, identityHash, id, context)
    const link = { issuer: 'https://id.example.com', identityHash, email: after, now: context.now } as const
    await on.ports.aggregates.account.execute(id, { type: 'LinkSingleSignOn', ...link }, context)
    return { id, token }
  }

  const claimOf = async ({ ports }: World): Promise<string> =>
    (await ports.aggregates.singleSignOnIdentity.load(identityHash)).state.status

  it('releases the identity', async () => {
    const on = world()
    const { token } = await stolen(on)
    expect(await claimOf(on)).toBe('held')
    await revert(on, token)
    expect(await claimOf(on)).toBe('free')
  })

  it('releases the identity also if the process died before', async () => {
    const on = world()
    const { id, token } = await stolen(on)
    on.dieBefore('SingleSignOnIdentityReleased')
    await expect(revert(on, token)).rejects.toThrow(Died)
    on.restart()
    expect(await claimOf(on)).toBe('held')
    await finish(on)
    expect(await claimOf(on)).toBe('free')
    expect(await addressOf(on, id)).toBe(before)
  })

  it('keeps the identity of an account that was linked again before a process manager came', async () => {
    const on = world()
    const { id, token } = await stolen(on)
    on.dieBefore('SingleSignOnIdentityReleased')
    await expect(revert(on, token)).rejects.toThrow(Died)
    on.restart()
    const { context } = on.requester()
    const link = { issuer: 'https://id.example.com', identityHash, email: before, now: context.now } as const
    await on.ports.aggregates.account.execute(id, { type: 'LinkSingleSignOn', ...link }, context)
    await finish(on)
    expect(await claimOf(on)).toBe('held')
  })
})
