import { describe, expect, it } from 'vitest'
import { createApplication } from '../../../application/apps/applications/create-application.ts'
import { consent } from '../../../application/apps/oauth2/consent.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import { applicationId, botOf } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { ban, typesOf } from '../support/happenings.ts'
import { world, type World } from '../support/world.ts'

const requestLife_ms = 60_000

async function finish(on: World) {
  on.restart()
  await on.ports.readModels.reached(0n)
  on.wait(requestLife_ms)
  const olderThan = on.now
  on.wait(1)
  return finishUnfinished(on.ports)(olderThan, on.now)
}

const plain = { redirectUris: [], botPublic: true, botRequireCodeGrant: false }

/** A bot has joined, and the process died before its role existed. */
async function joinedWithoutRole(options: Parameters<typeof world>[0] = {}) {
  const on = world(options)
  const ada = await on.newcomer('Ada')
  const { id: guildId } = await on.guildOf(ada)
  const { id } = await createApplication(on.ports)(await on.as(ada), { name: 'Engine', ...plain })
  const clientId = applicationId(snowflake(id))
  const nothing = { redirectUri: null, state: null, channelId: null, codeChallenge: null, codeChallengeMethod: null }
  const wishes = { ...nothing, clientId, scope: 'bot', guildId, permissions: permissionBits.KICK_MEMBERS }
  on.dieBefore('RoleCreated')
  const caller = await on.as(ada)
  await expect(consent(on.ports)(caller, wishes)).rejects.toThrow('RoleCreated')
  return { on, ada, guildId, bot: botOf(clientId), wishes, caller }
}

describe('a bot that was being added when the process died', () => {
  it('gets the role that it has joined with', async () => {
    const { on, guildId, bot } = await joinedWithoutRole()
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    const guild = await on.ports.queries.guilds.find(guildId)
    const role = guild?.roles.at(-1)
    expect(role).toMatchObject({ name: 'Engine', permissions: '2', position: 1 })
    expect(await on.ports.queries.members.find(guildId, bot)).toMatchObject({ roles: [role?.id] })
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it('gets it once, even if the request is repeated', async () => {
    const { on, ada, guildId, wishes, caller } = await joinedWithoutRole()
    await finish(on)
    const ids = (await on.events()).flatMap(({ data }) => ('role' in data ? [data.role] : []))
    const again = await on.as(ada, {
      commandId: caller.context.commandId,
      mayRepeat: true,
      now: caller.context.now,
    })
    expect(await consent(on.ports)(again, wishes)).toMatchObject({ redirect_to: expect.any(String) })
    expect((await on.events()).flatMap(({ data }) => ('role' in data ? [data.role] : []))).toStrictEqual(ids)
    expect(await on.ports.queries.members.countOf(guildId)).toBe(2)
  })

  it('leaves again if the guild has no room for the role by then', async () => {
    const limits = { max_guild_roles: 2 }
    const { on, guildId, bot } = await joinedWithoutRole({ limits })
    on.restart()
    limits.max_guild_roles = 1
    expect(await finish(on)).toMatchObject({ failures: [] })
    expect(await on.ports.queries.members.find(guildId, bot)).toBeUndefined()
    expect((await typesOf(on)).at(-1)).toBe('MemberLeft')
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it('gets no role once it is banned', async () => {
    const { on, guildId, bot } = await joinedWithoutRole()
    on.restart()
    await ban(on, guildId, bot)
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
    expect((await on.ports.queries.guilds.find(guildId))?.roles).toHaveLength(1)
  })
})
