import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inviteCode } from '../../domain/ids/ids.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { unfinishedProjection } from '../../projections/unfinished/projector.ts'
import { unfinishedQueries } from '../../projections/unfinished/queries.ts'
import { account, channel, guild, start, terms } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const future = timestamp(Date.UTC(2030, 0, 1))
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))
const open = async () =>
  (await unfinishedQueries(the.database).before(future, 100)).map(({ process, key }) => `${process} ${key}`)

beforeAll(async () => {
  the = await world()
  projector = await the.projector([unfinishedProjection])
})
afterAll(() => the.close())
/** Each test begins with no unfinished steps. */
beforeEach(async () => {
  await the.rows('delete from unfinished.steps')
})

describe('a claim of a custom code', () => {
  const code = inviteCode('the-place')
  const ofGuild = { code, guildId: guild(1) }
  const claimed = (claim: number): AnyEvent => ({ type: 'CustomCodeClaimed', data: { ...ofGuild, claim } })
  const released = (claim: number): AnyEvent => ({ type: 'CustomCodeReleased', data: { ...ofGuild, claim } })
  const named = (before: number | null, after: number | null): AnyEvent => {
    const by = (claim: number | null) => (claim === null ? null : { code, claim })
    return { type: 'VanityCodeChanged', data: { guildId: guild(1), before: by(before), after: by(after) } }
  }

  it('is unfinished until the guild names the code by it, or it is released', async () => {
    await happens(claimed(1), claimed(2))
    expect(await open()).toStrictEqual(['custom_code the-place 1', 'custom_code the-place 2'])
    await happens(named(null, 2))
    expect(await open()).toStrictEqual(['custom_code the-place 1'])
    await happens(released(1))
    expect(await open()).toStrictEqual([])
  })

  it('that the guild has given up is unfinished until it is released', async () => {
    await happens(claimed(3), named(null, 3), claimed(4), named(3, 4))
    expect(await open()).toStrictEqual(['custom_code the-place 3'])
    await happens(released(3), named(4, null))
    expect(await open()).toStrictEqual(['custom_code the-place 4'])
    await happens(released(4))
    expect(await open()).toStrictEqual([])
  })

  it('of a deleted guild is unfinished until it is released', async () => {
    const gone = { guildId: guild(1), ownerId: account(1), channelIds: [], customCode: { code, claim: 5 } }
    await happens({ type: 'GuildDeleted', data: gone })
    expect(await open()).toContain('custom_code the-place 5')
    await happens(released(5))
    expect(await open()).not.toContain('custom_code the-place 5')
  })
})

describe('an admission to a group', () => {
  const { guildId: _, ...group } = terms('group', { channelId: channel(1), createdAt: start })
  const used = (redemptionId: string, uses: number): AnyEvent => ({
    type: 'GroupInviteRedeemed',
    data: { code: group.code, channelId: group.channelId, accountId: account(2), redemptionId, uses },
  })
  const recipients = [account(1), account(2)]

  it('ends when the account takes part by it, or the use is returned, or the invite is removed', async () => {
    await happens(used('r1', 1), used('r2', 2), used('r3', 3))
    expect(await open()).toHaveLength(3)
    const added = { channelId: group.channelId, recipients, accountId: account(2), addedBy: account(2) }
    await happens({ type: 'GroupRecipientAdded', data: { ...added, redemptionId: 'r1' } })
    await happens({ type: 'InviteRedemptionReturned', data: { code: group.code, redemptionId: 'r2', uses: 2 } })
    expect(await open()).toStrictEqual(['group_admission r3'])
    await happens({ type: 'GroupInviteDeleted', data: { ...group, recipients, uses: 2, deletedBy: account(1) } })
    expect(await open()).toStrictEqual([])
  })
})
