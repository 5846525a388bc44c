import { describe, expect, it } from 'vitest'
import { acceptInvite } from '../../../application/communities/invites/accept-invite.ts'
import { whatErasureTakes } from '../../../application/identity/erasure/what-erasure-takes.ts'
import { eraseAccount } from '../../../application/processes/erase-account.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import { world, type World } from '../support/world.ts'

const requestLife_ms = 60_000
const minimum_ms = 14 * 24 * 3_600_000

interface Estate {
  readonly on: World
  readonly ada: AccountId
  readonly heir: AccountId
  /** The heir and, since before, a bot are members. */
  readonly home: GuildId
  /** Nobody else is a member. */
  readonly alone: GuildId
}

/** Ada owns two guilds, and an administrator's deletion of her account is due. */
async function estate(): Promise<Estate> {
  const on = world()
  const [ada, bot, heir] = [await on.newcomer('Ada'), await on.newcomer(), await on.newcomer()]
  const { id: home, code } = await on.guildOf(ada)
  const { id: alone } = await on.guildOf(ada)
  for (const member of [bot, heir]) await acceptInvite(on.ports)(await on.as(member), code)
  on.setAccount(bot, { bot: true })
  await scheduleDeletion(on, ada, heir)
  on.wait(minimum_ms)
  return { on, ada, heir, home, alone }
}

async function scheduleDeletion(on: World, account: AccountId, admin: AccountId): Promise<void> {
  const { context } = await on.as(admin)
  const why = { reasonCode: 1, delay_days: 1, publicReason: null, auditLogReason: null }
  const command = { type: 'ScheduleDeletion', ...why, scheduledBy: admin, replaces: null, now: on.now } as const
  await on.ports.aggregates.account.execute(account, command, context)
  await on.ports.readModels.reached(context.written)
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

const erasing = [
  'AccountErasureStarted',
  'EmailAddressReleased',
  'HandleReleased',
  'OwnershipTransferred',
  'GuildDeleted',
  'ChannelMessagesRemoved',
  'MemberLeft',
  'AccountErased',
]
const eventsSince = async (on: World, first: string) => {
  const events = await on.events()
  return events.slice(events.findIndex(({ type }) => type === first))
}
const typesSince = async (on: World, first: string) => (await eventsSince(on, first)).map(({ type }) => type)
const plan = ({ on, ada }: Pick<Estate, 'on' | 'ada'>) => whatErasureTakes(on.ports)(ada)

describe('erasing an account whose deletion an administrator scheduled', () => {
  it('hands on each guild that it owns, or deletes it, with the deletion as cause', async () => {
    const { on, ada, heir, home, alone } = await estate()
    expect(await eraseAccount(on.ports)(ada, on.now)).toBe(true)
    const events = await eventsSince(on, 'AccountErasureStarted')
    expect(events.map(({ type }) => type)).toStrictEqual(erasing)
    const [started] = events
    const [transferred, deleted] = events.filter(({ type }) => ['OwnershipTransferred', 'GuildDeleted'].includes(type))
    expect(transferred?.data).toMatchObject({ guildId: home, from: ada, to: heir })
    expect(deleted?.data).toMatchObject({ guildId: alone, ownerId: ada })
    for (const event of [transferred, deleted]) expect(event?.metadata.causationId).toBe(started?.metadata.eventId)
    expect(await on.ports.queries.members.find(home, ada)).toBeUndefined()
    expect(await on.ports.queries.guilds.find(home)).toMatchObject({ ownerId: heir })
  })

  it('does what was foretold', async () => {
    const all = await estate()
    const { on, ada, heir, home, alone } = all
    expect(await plan(all)).toMatchObject({
      accountId: ada,
      scheduledBy: heir,
      guilds: [
        { id: home, name: 'Home', heir },
        { id: alone, name: 'Home', heir: null },
      ],
      memberships_count: 2,
      obstacles: [],
    })
    await eraseAccount(on.ports)(ada, on.now)
    expect(await plan(all)).toBeUndefined()
  })

  it.each(erasing.slice(1))('continues after a restart if the process died before %s, each step once', async (type) => {
    const { on, ada, heir, home, alone } = await estate()
    on.dieBefore(type)
    await expect(eraseAccount(on.ports)(ada, on.now)).rejects.toThrow(type)
    expect(await finish(on)).toMatchObject({ failures: [] })
    expect((await typesSince(on, 'AccountErasureStarted')).toSorted()).toStrictEqual(erasing.toSorted())
    expect(await on.ports.queries.guilds.find(home)).toMatchObject({ ownerId: heir })
    expect(await on.ports.queries.guilds.find(alone)).toBeUndefined()
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it('gives the guild to another member if the heir has left before it was handed on', async () => {
    const { on, ada, heir, home } = await estate()
    on.dieBefore('OwnershipTransferred')
    await expect(eraseAccount(on.ports)(ada, on.now)).rejects.toThrow('OwnershipTransferred')
    on.restart()
    const { context } = await on.as(heir)
    const leave = { type: 'LeaveGuild', guildId: home, isOwner: false, now: on.now } as const
    await on.ports.aggregates.membership.execute(`${home}-${heir}`, leave, context)
    expect(await finish(on)).toMatchObject({ failures: [] })
    // A bot is left there, which inherits nothing.
    expect(await on.ports.queries.guilds.find(home)).toBeUndefined()
  })

  it('waits while nobody can get the single community, which cannot be deleted', async () => {
    const { on, ada, alone } = await estate()
    const community = { singleCommunity: true, guildId: alone, guildCreateAccess: true }
    const current = { ...(await on.ports.instancePolicies.current()) }
    const ports = {
      ...on.ports,
      instancePolicies: {
        ...on.ports.instancePolicies,
        current: async () => ({ ...current, community: { ...current.community, ...community } }),
      },
    }
    expect(await whatErasureTakes(ports)(ada)).toMatchObject({
      obstacles: [{ guildId: alone, why: 'single_community' }],
    })
    expect(await eraseAccount(ports)(ada, on.now)).toBe(false)
    expect((await on.ports.aggregates.account.load(ada)).state.status).toBe('registered')
    expect(await eraseAccount(on.ports)(ada, on.now)).toBe(true)
  })
})

describe('the deletion that a holder asked for', () => {
  it('waits while the account owns a guild, which is named', async () => {
    const on = world()
    const ada = await on.newcomer('Ada')
    const { context } = await on.as(ada)
    await on.ports.aggregates.account.execute(ada, { type: 'ScheduleSelfDeletion', dueAt: on.now }, context)
    const { id } = await on.guildOf(ada)
    expect(await plan({ on, ada })).toMatchObject({
      scheduledBy: null,
      guilds: [{ id, heir: null }],
      obstacles: [{ guildId: id, why: 'holder_owns_guild' }],
    })
    on.wait(1)
    expect(await eraseAccount(on.ports)(ada, on.now)).toBe(false)
  })
})
