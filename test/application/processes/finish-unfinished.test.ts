import { describe, expect, it } from 'vitest'
import { register } from '../../../application/identity/accounts/registering/register.ts'
import { createGuild } from '../../../application/communities/guilds/create-guild.ts'
import { deleteGuild } from '../../../application/communities/guilds/delete-guild.ts'
import { acceptInvite } from '../../../application/communities/invites/accept-invite.ts'
import { createChannelInvite } from '../../../application/communities/invites/create-channel-invite.ts'
import { deleteInvite } from '../../../application/communities/invites/delete-invite.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import { membershipId } from '../../../domain/ids/ids.ts'
import { bareBan } from '../../../domain/testing/people.ts'
import { world, type World } from '../support/world.ts'

const requestLife_ms = 60_000

/** What the timer does some time after the process died. */
async function finish(on: World) {
  on.restart()
  await on.ports.readModels.reached(0n)
  on.wait(requestLife_ms)
  const olderThan = on.now
  on.wait(1)
  return finishUnfinished(on.ports)(olderThan, on.now)
}

const typesOf = async (on: World): Promise<readonly string[]> => (await on.events()).map(({ type }) => type)

describe('an admission whose process died', () => {
  async function redeemed(maxUses = 3) {
    const on = world()
    const [ada, brian] = [await on.newcomer('Ada'), await on.newcomer('Brian')]
    const { id, code } = await on.guildOf(ada, { maxUses })
    on.dieBefore('MemberJoined')
    const caller = await on.as(brian)
    await expect(acceptInvite(on.ports)(caller, code)).rejects.toThrow('MemberJoined')
    return { on, ada, brian, id, code, caller }
  }

  it('is finished: the account joins by the use that was taken for it', async () => {
    const { on, brian, id, code } = await redeemed()
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await on.ports.queries.members.find(id, brian)).toBeDefined()
    expect(await on.ports.queries.invites.find(code, on.now)).toMatchObject({ uses: 1 })
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it('acts as the system, with the redemption as its cause, as a part of the request', async () => {
    const { on, caller } = await redeemed()
    await finish(on)
    const [redemption, joined] = (await on.events()).slice(-2)
    expect(redemption?.type).toBe('InviteRedeemed')
    expect(joined).toMatchObject({
      type: 'MemberJoined',
      metadata: {
        actor: { kind: 'system', name: 'admission' },
        causationId: redemption?.metadata.eventId,
        correlationId: caller.context.correlationId,
      },
    })
  })

  it('does nothing twice, however many finish it at once', async () => {
    const { on, code } = await redeemed()
    await Promise.all(Array.from({ length: 8 }, () => finish(on)))
    expect((await typesOf(on)).filter((type) => type === 'MemberJoined')).toHaveLength(2)
    expect(await on.ports.queries.invites.find(code, on.now)).toMatchObject({ uses: 1 })
  })

  it('takes the same step that the request would have taken, so that both together take it once', async () => {
    const { on, brian, id, code, caller } = await redeemed()
    await finish(on)
    const again = await on.as(brian, { commandId: caller.context.commandId, mayRepeat: true })
    expect(await acceptInvite(on.ports)(again, code)).toMatchObject({ code })
    expect(await on.ports.queries.members.countOf(id)).toBe(2)
    expect((await typesOf(on)).filter((type) => type === 'InviteRedeemed')).toHaveLength(1)
  })

  it('returns the use when the account is banned meanwhile', async () => {
    const { on, brian, id, code } = await redeemed()
    on.restart()
    const ban = {
      type: 'BanMember',
      guildId: id,
      accountId: brian,
      moderatorId: brian,
      reason: null,
      expiresAt: null,
      ...bareBan,
    } as const
    await on.ports.aggregates.membership.execute(
      membershipId(id, brian),
      { ...ban, now: on.now },
      on.requester().context,
    )
    await finish(on)
    expect(await on.ports.queries.members.find(id, brian)).toBeUndefined()
    expect(await on.ports.queries.invites.find(code, on.now)).toMatchObject({ uses: 0 })
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it('returns the use when the account has joined by another invite meanwhile', async () => {
    const { on, ada, brian, code } = await redeemed()
    on.restart()
    const other = await on.as(ada)
    const record = await on.ports.queries.invites.find(code, on.now)
    if (!record) throw new Error('There is no invite')
    const wishes = { maxUses: 0, maxAge: 0, unique: true, temporary: false }
    const made = await createChannelInvite(on.ports)(other, record.channelId, wishes)
    await acceptInvite(on.ports)(await on.as(brian), made.code as typeof code)
    await finish(on)
    expect(await on.ports.queries.invites.find(code, on.now)).toMatchObject({ uses: 0 })
  })

  it('is over when the invite or the guild is gone', async () => {
    const withoutInvite = await redeemed()
    withoutInvite.on.restart()
    await deleteInvite(withoutInvite.on.ports)(await withoutInvite.on.as(withoutInvite.ada), withoutInvite.code)
    expect(await finish(withoutInvite.on)).toStrictEqual({ finished: 0, failures: [] })
    const withoutGuild = await redeemed()
    withoutGuild.on.restart()
    await deleteGuild(withoutGuild.on.ports)(await withoutGuild.on.as(withoutGuild.ada), withoutGuild.id)
    // The remains of the guild may still have to be removed, but the admission is finished.
    expect((await finish(withoutGuild.on)).failures).toStrictEqual([])
    const types = (await withoutGuild.on.events()).map(({ type }) => type)
    expect(types).not.toContain('InviteRedemptionReturned')
    expect(types.filter((type) => type === 'MemberJoined')).toHaveLength(1)
  })

  it('respects limits: if the account is in as many guilds as it may be, the use is returned', async () => {
    const limits = { max_guilds: 10 }
    const on = world({ limits })
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { id, code } = await on.guildOf(ada, { maxUses: 3 })
    on.dieBefore('MemberJoined')
    await expect(acceptInvite(on.ports)(await on.as(brian), code)).rejects.toThrow('MemberJoined')
    limits.max_guilds = 0
    await finish(on)
    expect(await on.ports.queries.members.find(id, brian)).toBeUndefined()
    expect(await on.ports.queries.invites.find(code, on.now)).toMatchObject({ uses: 0 })
  })

  it('ignores what is younger than the longest request', async () => {
    const { on } = await redeemed()
    on.restart()
    await on.ports.readModels.reached(0n)
    expect(await finishUnfinished(on.ports)(on.now, on.now)).toStrictEqual({ finished: 0, failures: [] })
  })
})

describe('a founding whose process died', () => {
  it('is finished: the owner becomes a member', async () => {
    const on = world()
    const ada = await on.newcomer()
    on.dieBefore('MemberJoined')
    const wishes = { name: 'Home', emptyFeatures: false, icon: null, template: null }
    const caller = await on.as(ada)
    await expect(createGuild(on.ports)(caller, wishes)).rejects.toThrow('MemberJoined')
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await on.ports.queries.members.guildCountOf(ada)).toBe(1)
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })
})

describe('a registration whose process died', () => {
  const wishes = {
    email: 'ada@example.com',
    username: 'Ada',
    globalName: null,
    password: 'a password',
    dateOfBirth: null,
    consent: true,
    inviteCode: null,
    registrationUrlCode: null,
  }

  for (const step of ['HandleClaimed', 'AccountRegistered'] as const) {
    it(`releases what it had claimed before ${step}, so that somebody else can have it`, async () => {
      const on = world()
      on.dieBefore(step)
      await expect(register(on.ports)(on.requester(), wishes)).rejects.toThrow(step)
      expect((await finish(on)).failures).toStrictEqual([])
      expect((await typesOf(on)).filter((type) => type.endsWith('Released'))).toHaveLength(
        step === 'HandleClaimed' ? 1 : 2,
      )
      expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
      expect(await register(on.ports)(on.requester(), wishes)).toMatchObject({ user: { username: 'Ada' } })
    })
  }

  it('keeps what an account was registered with', async () => {
    const on = world()
    await register(on.ports)(on.requester(), wishes)
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
    expect(await typesOf(on)).not.toContain('HandleReleased')
  })
})

describe('a step that cannot be finished', () => {
  it('is reported, does not prevent the others from being finished, and is tried again', async () => {
    const on = world()
    const [ada, brian, carol] = [await on.newcomer(), await on.newcomer(), await on.newcomer()]
    const { id, code } = await on.guildOf(ada)
    for (const account of [brian, carol]) {
      on.dieBefore('MemberJoined')
      await expect(acceptInvite(on.ports)(await on.as(account), code)).rejects.toThrow('MemberJoined')
      on.restart()
    }
    const { find } = on.ports.queries.accounts
    const failing = {
      ...on.ports.queries.accounts,
      find: async (account: typeof ada) => (account === brian ? Promise.reject(new Error('broken')) : find(account)),
    }
    await on.ports.readModels.reached(0n)
    on.wait(requestLife_ms)
    const queries = { ...on.ports.queries, accounts: failing }
    const report = await finishUnfinished({ ...on.ports, queries })(on.now, on.now)
    expect(report.finished).toBe(1)
    expect(report.failures).toMatchObject([{ step: { process: 'admission' }, error: new Error('broken') }])
    expect(await on.ports.queries.members.find(id, carol)).toBeDefined()
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await on.ports.queries.members.find(id, brian)).toBeDefined()
  })
})
