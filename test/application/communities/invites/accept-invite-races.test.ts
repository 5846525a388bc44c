import { describe, expect, it } from 'vitest'
import { redemptionIdOf } from '../../../../application/communities/admission/admit-by-invite.ts'
import { acceptInvite } from '../../../../application/communities/invites/accept-invite.ts'
import { createChannelInvite } from '../../../../application/communities/invites/create-channel-invite.ts'
import type { InviteRedeemed } from '../../../../domain/invite/events.ts'
import { inviteCode } from '../../../../domain/ids/ids.ts'
import { accept, ban, typesOf } from '../../support/happenings.ts'
import { codeOf } from '../../support/refusals.ts'
import { world } from '../../support/world.ts'

describe('many at once', () => {
  it('admits exactly 10 of 64 by an invite of 10 uses, and no event ever counts an eleventh', async () => {
    const on = world({ lag_ms: 5 })
    const ada = await on.newcomer()
    const people = await Promise.all(Array.from({ length: 64 }, () => on.newcomer()))
    const { id, code } = await on.guildOf(ada, { maxUses: 10 })
    const outcomes = await Promise.all(
      people.map((person) =>
        accept(on, person, code).then(
          () => 'joined',
          (error: Error) => error.message,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'joined')).toHaveLength(10)
    expect(outcomes.filter((outcome) => outcome === 'UNKNOWN_INVITE')).toHaveLength(54)
    expect(await on.ports.queries.members.countOf(id)).toBe(11)
    expect(await on.ports.queries.invites.find(code, on.now)).toBeUndefined()
    const uses = (await on.events()).flatMap(({ type, data }) =>
      type === 'InviteRedeemed' ? [(data as InviteRedeemed).uses] : [],
    )
    expect(uses).toStrictEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('keeps a guild of at most 5 members at 5, and takes no use for those who are not admitted', async () => {
    const on = world({ lag_ms: 5, limits: { max_guild_members: 5 } })
    const ada = await on.newcomer()
    const people = await Promise.all(Array.from({ length: 20 }, () => on.newcomer()))
    const { id, code } = await on.guildOf(ada, { maxUses: 100 })
    const outcomes = await Promise.all(
      people.map((person) =>
        accept(on, person, code).then(
          () => 'joined',
          (error: Error) => error.message,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'joined')).toHaveLength(4)
    expect(outcomes.filter((outcome) => outcome === 'MAX_GUILD_MEMBERS')).toHaveLength(16)
    expect(await on.ports.queries.members.countOf(id)).toBe(5)
    expect(await on.ports.queries.invites.find(code, on.now)).toMatchObject({ uses: 4 })
  })

  it('keeps an account of at most 3 guilds at 3 when it accepts 12 invites at once', async () => {
    const on = world({ lag_ms: 5, limits: { max_guilds: 3 } })
    const owners = await Promise.all(Array.from({ length: 12 }, () => on.newcomer()))
    const guilds = await Promise.all(owners.map((owner) => on.guildOf(owner, { maxUses: 1 })))
    const brian = await on.newcomer()
    const outcomes = await Promise.all(
      guilds.map(({ code }) =>
        accept(on, brian, code).then(
          () => 'joined',
          (error: Error) => error.message,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'joined')).toHaveLength(3)
    expect(outcomes.filter((outcome) => outcome === 'MAX_GUILDS')).toHaveLength(9)
    expect(await on.ports.queries.members.guildCountOf(brian)).toBe(3)
  })

  it('takes one use when one account accepts two invites to a guild, or one invite twice, at once', async () => {
    const on = world({ lag_ms: 5 })
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { code, channel } = await on.guildOf(ada, { maxUses: 10 })
    const wishes = { maxUses: 10, maxAge: 0, unique: true, temporary: false }
    const other = await createChannelInvite(on.ports)(await on.as(ada), channel, wishes)
    const answers = await Promise.all([code, other.code, code, other.code].map((each) => accept(on, brian, each)))
    expect(answers).toHaveLength(4)
    await on.ports.readModels.reached(0n)
    const found = await Promise.all(
      [code, inviteCode(other.code)].map((each) => on.ports.queries.invites.find(each, on.now)),
    )
    expect(found.map((record) => record?.uses ?? 0).reduce((sum, uses) => sum + uses)).toBe(1)
  })
})

describe('a refusal between the steps', () => {
  it('returns the use when the account is banned after it was taken', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { id, code } = await on.guildOf(ada, { maxUses: 3 })
    const { aggregates } = on.ports
    const executeInvite = aggregates.invite.execute
    const ports = {
      ...on.ports,
      aggregates: {
        ...aggregates,
        invite: {
          ...aggregates.invite,
          execute: async (...given: Parameters<typeof executeInvite>) => {
            const executed = await executeInvite(...given)
            if (given[1].type === 'RedeemInvite') await ban(on, id, brian)
            return executed
          },
        },
      },
    }
    expect(await codeOf(acceptInvite(ports)(await on.as(brian), code))).toBe('USER_BANNED_FROM_GUILD')
    expect((await typesOf(on)).slice(-3)).toStrictEqual(['InviteRedeemed', 'MemberBanned', 'InviteRedemptionReturned'])
    expect(await on.ports.queries.invites.find(code, on.now)).toMatchObject({ uses: 0 })
  })
})

describe('a repeated command', () => {
  it('gets the earlier answer when it took the last use, and changes nothing', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { code } = await on.guildOf(ada, { maxUses: 1 })
    const first = await on.as(brian)
    const answer = await acceptInvite(on.ports)(first, code)
    const before = await typesOf(on)
    on.restart()
    const again = await on.as(brian, { commandId: first.context.commandId, mayRepeat: true })
    expect(await acceptInvite(on.ports)(again, code)).toStrictEqual(answer)
    expect(await typesOf(on)).toStrictEqual(before)
  })

  it('lets nobody join without a use when the first try returned its use', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { id, code } = await on.guildOf(ada, { maxUses: 3 })
    const first = await on.as(brian)
    on.dieBefore('MemberJoined')
    await expect(acceptInvite(on.ports)(first, code)).rejects.toThrow('MemberJoined')
    on.restart()
    const redemptionId = redemptionIdOf(first.context)
    await on.ports.aggregates.invite.execute(code, { type: 'ReturnRedemption', redemptionId }, on.requester().context)
    const again = await on.as(brian, { commandId: first.context.commandId, mayRepeat: true })
    expect(await codeOf(acceptInvite(on.ports)(again, code))).toBe('UNKNOWN_INVITE')
    expect(await on.ports.queries.members.find(id, brian)).toBeUndefined()
  })
})
