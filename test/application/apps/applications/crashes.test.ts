import { describe, expect, it } from 'vitest'
import { createApplication } from '../../../../application/apps/applications/create-application.ts'
import { deleteApplication } from '../../../../application/processes/delete-application.ts'
import { deleteOwnedApplications } from '../../../../application/identity/erasure/delete-owned-applications.ts'
import { Refused } from '../../../../application/commands/refused.ts'
import { installBot } from '../../../../application/apps/bot-installation/install-bot.ts'
import type { Ports } from '../../../../application/ports.ts'
import { finishUnfinished } from '../../../../application/processes/finish-unfinished.ts'
import type { ApplicationSettings } from '../../../../domain/application/state.ts'
import {
  applicationId,
  botOf,
  membershipId,
  type AccountId,
  type ApplicationId,
  type GuildId,
} from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field, refusal } from '../../../../domain/kernel/refusal.ts'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import { codeOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'
import type { WorldOptions } from '../../support/world-options.ts'

const requestLife_ms = 60_000
const settings: ApplicationSettings = {
  name: 'Engine',
  redirectUris: [],
  botPublic: true,
  botRequireCodeGrant: false,
}

/** What the timer does some time after the process died. */
async function finish(on: World) {
  on.restart()
  await on.ports.readModels.reached(0n)
  on.wait(requestLife_ms)
  const olderThan = on.now
  on.wait(1)
  const report = await finishUnfinished(on.ports)(olderThan, on.now)
  await on.ports.readModels.reached(0n)
  return report
}

const typesOf = async (on: World): Promise<readonly string[]> => (await on.events()).map(({ type }) => type)

async function withOwner(options?: WorldOptions): Promise<{ readonly on: World; readonly ada: AccountId }> {
  const on = world(options)
  return { on, ada: await on.newcomer('Ada') }
}

async function create(on: World, owner: AccountId): Promise<{ readonly id: ApplicationId }> {
  const { id } = await createApplication(on.ports)(await on.as(owner), settings)
  return { id: applicationId(snowflake(id)) }
}

async function join(on: World, bot: AccountId, guildId: GuildId): Promise<void> {
  const { context } = on.requester()
  const admission = { by: 'custom_invite' } as const
  const command = { type: 'JoinGuild', guildId, accountId: bot, temporary: false, admission, now: on.now } as const
  await on.ports.aggregates.membership.execute(membershipId(guildId, bot), command, context)
  await on.ports.readModels.reached(context.written)
}

describe('an application whose process died during its creation', () => {
  it('was not created if the process died before that, and the tag of its bot is free', async () => {
    const { on, ada } = await withOwner()
    on.dieBefore('ApplicationCreated')
    await expect(create(on, ada)).rejects.toThrow('ApplicationCreated')
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect((await on.events()).at(-1)).toMatchObject({ type: 'HandleReleased', data: { username: 'engine' } })
    expect(await on.ports.queries.applications.ofOwner(ada)).toStrictEqual([])
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it('gets its bot if the process died after that', async () => {
    const { on, ada } = await withOwner()
    on.dieBefore('AccountRegistered')
    await expect(create(on, ada)).rejects.toThrow('AccountRegistered')
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    const [application] = await on.ports.queries.applications.ofOwner(ada)
    const bot = application && (await on.ports.queries.accounts.find(botOf(application.id)))
    expect(bot).toMatchObject({ username: 'Engine', bot: true, botOwnerId: ada })
    expect(await typesOf(on)).not.toContain('HandleReleased')
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it('is the same one for a client that repeats the command, and shows the same secrets', async () => {
    const { on, ada } = await withOwner()
    const source = { commandId: '01a1f8ef-9cd2-7371-8433-6aaaf45a8299', newId: () => snowflake('77'), now: on.now }
    const again = { ...source, randomBytes: (count: number) => Buffer.alloc(count, 5) }
    on.dieBefore('AccountRegistered')
    await expect(createApplication(on.ports)(await on.as(ada, again), settings)).rejects.toThrow('AccountRegistered')
    await finish(on)
    const caller = await on.as(ada, { ...again, mayRepeat: true })
    const shown = await createApplication(on.ports)(caller, settings)
    expect(shown).toMatchObject({ id: '77', bot: { username: 'Engine', token: expect.stringMatching(/^77\./) } })
    expect((await typesOf(on)).filter((type) => type === 'ApplicationCreated')).toHaveLength(1)
  })
})

describe('an application whose process died during its deletion', () => {
  for (const step of ['AccountErasureStarted', 'HandleReleased', 'MemberLeft', 'AccountErased']) {
    it(`is deleted completely if the process died before ${step}`, async () => {
      const { on, ada } = await withOwner()
      const { id } = await create(on, ada)
      const bot = botOf(id)
      const { id: guild } = await on.guildOf(ada)
      await join(on, bot, guild)
      on.dieBefore(step)
      const caller = await on.as(ada)
      await expect(deleteApplication(on.ports)(caller, id)).rejects.toThrow(step)
      expect((await finish(on)).failures).toStrictEqual([])
      expect(await on.ports.queries.members.find(guild, bot)).toBeUndefined()
      expect(await on.ports.queries.accounts.find(bot)).toMatchObject({ username: 'DeletedUser', isErased: true })
      expect((await typesOf(on)).filter((type) => type === 'HandleReleased')).toHaveLength(1)
      expect((await typesOf(on)).filter((type) => type === 'AccountErased')).toHaveLength(1)
      expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
    })
  }

  it('leaves no bot if its bot was never registered', async () => {
    const { on, ada } = await withOwner()
    on.dieBefore('AccountRegistered')
    await expect(create(on, ada)).rejects.toThrow('AccountRegistered')
    on.restart()
    await on.ports.readModels.reached(0n)
    const [application] = await on.ports.queries.applications.ofOwner(ada)
    if (!application) throw new Error('There is no application')
    await deleteApplication(on.ports)(await on.as(ada), application.id)
    expect(await on.ports.queries.accounts.find(botOf(application.id))).toMatchObject({ isErased: true })
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
    expect((await on.ports.aggregates.handle.load('engine')).state).toMatchObject({ held: [] })
  })
})

describe('an owner whose account is erased', () => {
  it('owns no application, and the bots are erased', async () => {
    const { on, ada } = await withOwner()
    const ids = [(await create(on, ada)).id, (await create(on, ada)).id]
    await deleteOwnedApplications(on.ports, ada, on.requester().context)
    expect(await finish(on)).toStrictEqual({ finished: 2, failures: [] })
    expect(await on.ports.queries.applications.ofOwner(ada)).toStrictEqual([])
    for (const id of ids) expect(await on.ports.queries.accounts.find(botOf(id))).toMatchObject({ isErased: true })
  })
})

const full = new Refused(refusal('INVALID_FORM_BODY', field('username', 'TOO_MANY_USERS_WITH_THIS_USERNAME')))

describe('a bot that is added while its application is deleted', () => {
  /** Ports in which the application is deleted, and its bot erased, just before the bot joins. */
  function deletingFirst(on: World, owner: AccountId, id: ApplicationId): Ports {
    const { membership } = on.ports.aggregates
    let isDeleted = false
    const execute: typeof membership.execute = async (...joining) => {
      if (!isDeleted) {
        isDeleted = true
        await deleteApplication(on.ports)(await on.as(owner), id)
      }
      return membership.execute(...joining)
    }
    return { ...on.ports, aggregates: { ...on.ports.aggregates, membership: { ...membership, execute } } }
  }

  async function installation(permissions: bigint) {
    const { on, ada } = await withOwner()
    const { id } = await create(on, ada)
    const guild = await on.guildOf(ada)
    const application = await on.ports.queries.applications.find(id)
    if (!application) throw new Error('There is no application')
    const install = async (): Promise<void> =>
      installBot(deletingFirst(on, ada, id), await on.as(ada), { application, guildId: guild.id, permissions })
    const isMember = async () => (await on.ports.queries.members.find(guild.id, botOf(id))) !== undefined
    return { on, install, isMember }
  }

  it.each([0n, permissionBits.KICK_MEMBERS])('leaves the guild again: with permissions %s', async (permissions) => {
    const { on, install, isMember } = await installation(permissions)
    expect(await codeOf(install())).toBe('UNKNOWN_APPLICATION')
    await on.ports.readModels.reached(0n)
    expect(await isMember()).toBe(false)
    expect((await typesOf(on)).slice(-2)).toStrictEqual(['MemberJoined', 'MemberLeft'])
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it('leaves the guild even if the process died before it did', async () => {
    const { on, install, isMember } = await installation(permissionBits.KICK_MEMBERS)
    on.dieBefore('MemberLeft')
    await expect(install()).rejects.toThrow('MemberLeft')
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await isMember()).toBe(false)
    expect((await typesOf(on)).slice(-2)).toStrictEqual(['MemberJoined', 'MemberLeft'])
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })
})

describe('a bot that cannot be created', () => {
  it('is BOT_USER_GENERATION_FAILED if no tag is left', async () => {
    const { on, ada } = await withOwner()
    const { handle } = on.ports.aggregates
    // Refuses as a username does whose 9999 discriminators are all taken.
    const refusing: typeof handle = { ...handle, execute: async () => Promise.reject(full) }
    const ports = { ...on.ports, aggregates: { ...on.ports.aggregates, handle: refusing } }
    expect(await codeOf(createApplication(ports)(await on.as(ada), settings))).toBe('BOT_USER_GENERATION_FAILED')
    expect(await on.ports.queries.applications.ofOwner(ada)).toStrictEqual([])
    expect(await typesOf(on)).not.toContain('ApplicationCreated')
  })
})
