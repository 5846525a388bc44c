import { describe, expect, it } from 'vitest'
import { deleteGuild } from '../../../../application/communities/guilds/delete-guild.ts'
import { accountFlags } from '../../../../domain/account/flags.ts'
import { inviteCode, type AccountId, type GuildId } from '../../../../domain/ids/ids.ts'
import { disabledOperationBits } from '../../../../domain/guild/state.ts'
import { accept, ban, change, typesOf } from '../../support/happenings.ts'
import { codeOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'

const limited = accountFlags.ACCOUNT_LIMITED.toString()
const unknown = inviteCode('nobodys1')

describe('accepting an invite', () => {
  it('takes a use, makes the caller a member, and answers with the invite', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer('Ada'), await on.newcomer('Brian')]
    const { id, code, channel } = await on.guildOf(ada, { maxUses: 2 })
    const answer = await accept(on, brian, code)
    expect(answer).toMatchObject({
      code,
      type: 0,
      guild: { id },
      channel: { id: channel },
      inviter: { id: ada },
      member_count: 2,
    })
    expect(await on.ports.queries.members.find(id, brian)).toMatchObject({ accountId: brian, temporary: false })
    expect(await on.ports.queries.invites.find(code, on.now)).toMatchObject({ uses: 1 })
  })

  it('names the redemption as the cause of the membership', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { code } = await on.guildOf(ada)
    await accept(on, brian, code)
    const [redeemed, joined] = (await on.events()).slice(-2)
    expect(joined).toMatchObject({ type: 'MemberJoined', metadata: { causationId: redeemed?.metadata.eventId } })
    expect(joined?.metadata.correlationId).toBe(redeemed?.metadata.correlationId)
  })

  it('changes nothing for a member, and takes no use', async () => {
    const on = world()
    const ada = await on.newcomer()
    const { code } = await on.guildOf(ada, { maxUses: 1 })
    const before = await typesOf(on)
    expect(await accept(on, ada, code)).toMatchObject({ code, member_count: 1 })
    expect(await typesOf(on)).toStrictEqual(before)
  })

  it('marks the membership temporary if the invite is', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { id, code } = await on.guildOf(ada, { temporary: true })
    on.present.add(brian)
    expect(await accept(on, brian, code)).toMatchObject({ temporary: true })
    expect(await on.ports.queries.members.find(id, brian)).toMatchObject({ temporary: true })
  })

  it('admits with the last use, and is unknown from then on', async () => {
    const on = world()
    const [ada, brian, carol] = [await on.newcomer(), await on.newcomer(), await on.newcomer()]
    const { code } = await on.guildOf(ada, { maxUses: 1 })
    expect(await accept(on, brian, code)).toMatchObject({ code })
    expect(await codeOf(accept(on, carol, code))).toBe('UNKNOWN_INVITE')
    expect(await codeOf(accept(on, brian, code))).toBe('UNKNOWN_INVITE')
  })

  it('ends with the lifetime of the invite', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { code } = await on.guildOf(ada, { maxAge: 60 })
    on.wait(60_000)
    expect(await codeOf(accept(on, brian, code))).toBe('UNKNOWN_INVITE')
  })
})

describe('the order of refusals', () => {
  interface Scene {
    readonly on: World
    readonly id: GuildId
    readonly brian: AccountId
    readonly owner: AccountId
  }

  /** The reasons for a refusal, in the order in which they are checked. */
  const obstacles: readonly { readonly code: string; readonly arrange: (scene: Scene) => Promise<void> | void }[] = [
    { code: 'ACCOUNT_LIMITED', arrange: ({ on, brian }) => on.setAccount(brian, { flags: limited }) },
    { code: 'MISSING_ACCESS', arrange: () => undefined },
    { code: 'USER_BANNED_FROM_GUILD', arrange: ({ on, id, brian }) => ban(on, id, brian) },
    { code: 'INVITES_DISABLED', arrange: () => undefined },
    {
      code: 'FEATURE_TEMPORARILY_DISABLED',
      arrange: ({ on, id }) =>
        change(on, id, {
          type: 'ChangeSettings',
          settings: { disabledOperations: disabledOperationBits.INSTANT_INVITES },
        }),
    },
    { code: 'MAX_GUILDS', arrange: async ({ on, brian }) => void (await on.guildOf(brian)) },
    { code: 'MAX_GUILD_MEMBERS', arrange: () => undefined },
    { code: 'TEMPORARY_INVITE_REQUIRES_PRESENCE', arrange: () => undefined },
  ]

  for (const [index, { code: expected }] of obstacles.entries()) {
    it(`checks for ${expected} before everything that comes after it`, async () => {
      const wrong = obstacles.slice(index).map(({ code }) => code)
      const limits = {
        ...(wrong.includes('MAX_GUILDS') ? { max_guilds: 1 } : {}),
        ...(wrong.includes('MAX_GUILD_MEMBERS') ? { max_guild_members: 1 } : {}),
      }
      const on = world({ limits })
      const [owner, brian] = [await on.newcomer(), await on.newcomer()]
      const { id, code } = await on.guildOf(owner, { temporary: true })
      for (const { arrange } of obstacles.slice(index).toReversed()) await arrange({ on, id, brian, owner })
      const features = [
        ...(wrong.includes('MISSING_ACCESS') ? (['UNAVAILABLE_FOR_EVERYONE'] as const) : []),
        ...(wrong.includes('INVITES_DISABLED') ? (['INVITES_DISABLED'] as const) : []),
      ]
      await change(on, id, { type: 'SetFeatures', features })
      const before = (await typesOf(on)).length
      expect(await codeOf(accept(on, brian, code))).toBe(expected)
      expect(await typesOf(on)).toHaveLength(before)
    })
  }

  it('checks for a limited account before an unknown invite, and for an unknown invite before a missing guild', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { id, code } = await on.guildOf(ada)
    await deleteGuild(on.ports)(await on.as(ada), id)
    await on.ports.readModels.reached(0n)
    expect(await codeOf(accept(on, brian, unknown))).toBe('UNKNOWN_INVITE')
    expect(await codeOf(accept(on, brian, code))).toBe('UNKNOWN_GUILD')
    on.setAccount(brian, { flags: limited })
    expect(await codeOf(accept(on, brian, unknown))).toBe('ACCOUNT_LIMITED')
    expect(await codeOf(accept(on, brian, code))).toBe('ACCOUNT_LIMITED')
  })

  it('answers a limited account that is in the guild already', async () => {
    const on = world()
    const ada = await on.newcomer()
    const { code } = await on.guildOf(ada)
    on.setAccount(ada, { flags: limited })
    expect(await accept(on, ada, code)).toMatchObject({ code })
  })

  it('refuses invites in a guild that is being raided', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { id, code } = await on.guildOf(ada)
    await change(on, id, { type: 'SetFeatures', features: ['RAID_DETECTED'] })
    expect(await codeOf(accept(on, brian, code))).toBe('INVITES_DISABLED')
  })

  it('lets staff, and nobody else, into a guild that is unavailable for everyone but staff', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { id, code } = await on.guildOf(ada)
    await change(on, id, { type: 'SetFeatures', features: ['UNAVAILABLE_FOR_EVERYONE_BUT_STAFF'] })
    expect(await codeOf(accept(on, brian, code))).toBe('MISSING_ACCESS')
    on.setAccount(brian, { flags: accountFlags.STAFF.toString() })
    expect(await accept(on, brian, code)).toMatchObject({ code })
  })

  it('ignores a ban that has ended', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { id, code } = await on.guildOf(ada)
    const until = on.now
    await ban(on, id, brian, until)
    on.wait(1)
    expect(await accept(on, brian, code)).toMatchObject({ code })
  })
})
