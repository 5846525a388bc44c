import { describe, expect, it } from 'vitest'
import { eraseAccount } from '../../../application/processes/erase-account.ts'
import { acceptInvite } from '../../../application/communities/invites/accept-invite.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { world, type World } from '../support/world.ts'

const requestLife_ms = 60_000

/** A member of another account's guild whose deletion is due. */
async function due(on: World = world()) {
  const [owner, ada] = [await on.newcomer(), await on.newcomer('Ada')]
  const { id, code } = await on.guildOf(owner)
  await acceptInvite(on.ports)(await on.as(ada), code)
  const { context } = await on.as(ada)
  const dueAt = secondsAfter(on.now, -1)
  await on.ports.aggregates.account.execute(ada, { type: 'ScheduleSelfDeletion', dueAt }, context)
  await on.ports.readModels.reached(context.written)
  return { on, ada, owner, guild: id }
}

/** What a process manager does some time after the process died. */
async function finish(on: World) {
  on.restart()
  await on.ports.readModels.reached(0n)
  on.wait(requestLife_ms)
  const olderThan = on.now
  on.wait(1)
  return finishUnfinished(on.ports)(olderThan, on.now)
}

const typesSince = async (on: World, first: string): Promise<readonly string[]> => {
  const types = (await on.events()).map(({ type }) => type)
  return types.slice(types.indexOf(first))
}
const erasing = ['AccountErasureStarted', 'EmailAddressReleased', 'HandleReleased', 'MemberLeft', 'AccountErased']
const statusOf = async (on: World, account: AccountId) => (await on.ports.aggregates.account.load(account)).state.status

describe('erasing an account', () => {
  it('takes its steps in order, caused by the first', async () => {
    const { on, ada } = await due()
    expect(await eraseAccount(on.ports)(ada, on.now)).toBe(true)
    expect(await typesSince(on, 'AccountErasureStarted')).toStrictEqual(erasing)
    const [started, ...followed] = (await on.events()).slice(-erasing.length)
    expect(started?.metadata.actor).toStrictEqual({ kind: 'system', name: 'erasure' })
    for (const { metadata } of followed) expect(metadata.causationId).toBe(started?.metadata.eventId)
  })

  it.each(erasing.slice(1))('continues after a restart if the process died before %s, each step once', async (type) => {
    const { on, ada, guild } = await due()
    on.dieBefore(type)
    await expect(eraseAccount(on.ports)(ada, on.now)).rejects.toThrow(type)
    expect(await statusOf(on, ada)).toBe('erasing')
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await typesSince(on, 'AccountErasureStarted')).toStrictEqual(erasing)
    expect(await statusOf(on, ada)).toBe('erased')
    expect(await on.ports.queries.members.find(guild, ada)).toBeUndefined()
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it('continues with another job of the same account, too', async () => {
    const { on, ada } = await due()
    on.dieBefore('HandleReleased')
    await expect(eraseAccount(on.ports)(ada, on.now)).rejects.toThrow('HandleReleased')
    on.restart()
    await on.ports.readModels.reached(0n)
    expect(await eraseAccount(on.ports)(ada, on.now)).toBe(true)
    expect(await eraseAccount(on.ports)(ada, on.now)).toBe(false)
    expect(await typesSince(on, 'AccountErasureStarted')).toStrictEqual(erasing)
  })

  it('releases the identities at providers that signed in to it', async () => {
    const { on, ada, owner } = await due()
    const { account, singleSignOnIdentity } = on.ports.aggregates
    const { context } = await on.as(ada)
    const identityHash = 'hash of identity'
    await singleSignOnIdentity.execute(identityHash, { type: 'ClaimIdentity', identityHash, accountId: ada }, context)
    const link = { issuer: 'https://id.example.com', identityHash, email: 'Ada@example.com', now: on.now }
    await account.execute(ada, { type: 'LinkSingleSignOn', ...link }, context)
    await on.ports.readModels.reached(context.written)
    await eraseAccount(on.ports)(ada, on.now)
    const { context: others } = await on.as(owner)
    const claim = { type: 'ClaimIdentity', identityHash, accountId: owner } as const
    const { state } = await singleSignOnIdentity.execute(identityHash, claim, others)
    expect(state).toMatchObject({ accountId: owner })
  })

  it('leaves nothing personal in the history', async () => {
    const { on, ada } = await due()
    await eraseAccount(on.ports)(ada, on.now)
    const registered = (await on.events()).find(
      ({ type, data }) => type === 'AccountRegistered' && 'accountId' in data && data.accountId === ada,
    )
    const nothing = { email: null, passwordHash: null, dateOfBirth: null, globalName: null }
    expect(registered?.data).toMatchObject({ username: 'Ada', ...nothing })
    expect(on.letters.filter(({ accountId }) => accountId === ada)).toStrictEqual([])
  })

  it('lets nobody join any more by an invite that was taken before', async () => {
    const on = world()
    const [owner, ada] = [await on.newcomer(), await on.newcomer('Ada')]
    const { id, code } = await on.guildOf(owner)
    on.dieBefore('MemberJoined')
    await expect(acceptInvite(on.ports)(await on.as(ada), code)).rejects.toThrow('MemberJoined')
    on.restart()
    const { context } = on.requester()
    await on.ports.aggregates.account.execute(
      ada,
      { type: 'ScheduleSelfDeletion', dueAt: secondsAfter(on.now, -1) },
      context,
    )
    await on.ports.readModels.reached(context.written)
    await eraseAccount(on.ports)(ada, on.now)
    await finish(on)
    expect(await on.ports.queries.members.find(id, ada)).toBeUndefined()
    expect(await on.ports.queries.invites.find(code, on.now)).toMatchObject({ uses: 0 })
  })
})
