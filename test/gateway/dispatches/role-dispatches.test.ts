import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Role } from '../../../domain/guild/state.ts'
import { roleId, type RoleId } from '../../../domain/ids/ids.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { sessionFlags } from '../../../gateway/protocol/identify.ts'
import { chatIn } from '../support/chat.ts'
import type { Client } from '../support/client.ts'
import { joined, plainRole, rolesChanged } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let home: Place
/** With thread access, and without. */
let owner: Client
let plain: Client

const threadAccess = { flags: sessionFlags.CHANNEL_THREADS }
const { MANAGE_THREADS, KICK_MEMBERS } = permissionBits

beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  home = stage.found(ada)
  const member = stage.account()
  stage.happen(joined(home.id, member.id))
  owner = await stage.identify(ada, threadAccess)
  plain = await stage.identify(member)
})
afterEach(async () => {
  await stage.end()
})

const changed = (roleId: RoleId, after: Partial<Role>) =>
  ({ type: 'RoleChanged', data: { guildId: home.id, roleId, before: {}, after } }) as const

describe('a role', () => {
  it('that is created or changed is sent whole, and with thread bits to clients that know threads', async () => {
    const id = stage.role(home, 'MANAGE_THREADS', 'KICK_MEMBERS')
    stage.happen(changed(id, { name: 'Crew', hoistPosition: 2, position: 1 }))
    const colors = { primary_color: 0, secondary_color: null, tertiary_color: null }
    const role = { id, color: 0, colors, position: 1, hoist: false, mentionable: false, unicode_emoji: null }
    for (const [client, mask] of [
      [owner, MANAGE_THREADS | KICK_MEMBERS],
      [plain, KICK_MEMBERS],
    ] as const) {
      const permissions = mask.toString()
      expect((await client.dispatch('GUILD_ROLE_CREATE')).d).toStrictEqual({
        guild_id: home.id,
        role: { ...role, name: 'role', hoist_position: null, permissions },
      })
      expect((await client.dispatch('GUILD_ROLE_UPDATE')).d).toStrictEqual({
        guild_id: home.id,
        role: { ...role, name: 'Crew', hoist_position: 2, permissions },
      })
    }
  })

  it('that is changed to the same values is still sent, without an audit entry', async () => {
    const id = stage.role(home)
    await stage.heard(home, owner)
    stage.happen({ type: 'RoleChanged', data: { guildId: home.id, roleId: id, before: {}, after: {} } })
    expect(await stage.heard(home, owner)).toStrictEqual([['GUILD_ROLE_UPDATE']])
  })

  it('that moves is sent in one GUILD_ROLE_UPDATE_BULK with every role whose position changed', async () => {
    const [first, second] = [stage.role(home), stage.role(home)]
    stage.role(home)
    stage.happen({
      type: 'RolesReordered',
      data: {
        guildId: home.id,
        roles: [
          { roleId: first, moved: true, before: { position: 1 }, after: { position: 3 } },
          { roleId: second, moved: false, before: { position: 1 }, after: { position: 2 } },
        ],
      },
    })
    expect((await plain.dispatch('GUILD_ROLE_UPDATE_BULK')).d).toMatchObject({
      guild_id: home.id,
      roles: [
        { id: first, position: 3 },
        { id: second, position: 2 },
      ],
    })
    const names = (await stage.heard(home, owner))[0] ?? []
    expect(names.slice(names.indexOf('GUILD_ROLE_UPDATE_BULK'))).toStrictEqual([
      'GUILD_ROLE_UPDATE_BULK',
      'GUILD_AUDIT_LOG_ENTRY_CREATE',
    ])
  })

  it('that is deleted is sent with its id, and its holders appear without it to later sessions', async () => {
    const member = stage.account()
    const [kept, gone] = [plainRole(stage.role(home)), plainRole(stage.role(home))]
    stage.happen(joined(home.id, member.id), rolesChanged(home.id, member.id, gone.id, kept.id))
    await stage.identify(member)
    stage.happen({ type: 'RoleDeleted', data: { guildId: home.id, role: gone } })
    expect((await plain.dispatch('GUILD_ROLE_DELETE')).d).toStrictEqual({ guild_id: home.id, role_id: gone.id })
    const later = await stage.identify(member)
    const [ready] = later.dispatches.filter(({ t }) => t === 'READY')
    expect(ready?.d).toMatchObject({ guilds: [{ id: home.id, members: [{ roles: [kept.id] }] }] })
  })

  it('that is deleted is not among the roles of those who write afterwards', async () => {
    const member = stage.account()
    const [kept, gone] = [plainRole(stage.role(home)), plainRole(stage.role(home))]
    stage.happen(joined(home.id, member.id), rolesChanged(home.id, member.id, gone.id, kept.id))
    const session = await stage.identify(member)
    stage.happen({ type: 'RoleDeleted', data: { guildId: home.id, role: gone } })
    await chatIn(stage, home).post(member)
    for (const client of [session, owner]) {
      expect((await client.dispatch('MESSAGE_CREATE')).d).toMatchObject({ member: { roles: [kept.id] } })
    }
  })

  it('that a bot has joined with is sent to it as its own once it is there, and to nobody twice', async () => {
    const bot = stage.account({ bot: true })
    const client = await stage.identify(bot)
    await stage.heard(home, owner)
    const role = plainRole(roleId(stage.newId()))
    const asked = { id: role.id, name: role.name, permissions: role.permissions }
    const { data } = joined(home.id, bot.id)
    stage.happen(
      {
        type: 'MemberJoined',
        data: { ...data, admission: { by: 'bot_installation', installerId: ada.id, role: asked } },
      },
      { type: 'RoleCreated', data: { guildId: home.id, role } },
    )
    expect((await client.dispatch('GUILD_CREATE')).d).toMatchObject({ members: [{ roles: [] }] })
    expect((await client.dispatch('GUILD_MEMBER_UPDATE')).d).toMatchObject({
      guild_id: home.id,
      user: { id: bot.id },
      roles: [role.id],
    })
    await stage.heard(home, client, owner)
    const names = [client, owner].map(({ dispatches }) =>
      dispatches.flatMap(({ t }) => (/^GUILD_(?:MEMBER|ROLE)/.test(String(t)) ? [t] : [])),
    )
    expect(names).toStrictEqual([
      ['GUILD_ROLE_CREATE', 'GUILD_MEMBER_UPDATE'],
      ['GUILD_MEMBER_ADD', 'GUILD_ROLE_CREATE'],
    ])
  })

  it('is listed in the order of List guild roles: the highest first, and of equal ones the lower id', async () => {
    const [low, high, middle] = [stage.role(home), stage.role(home), stage.role(home)]
    stage.happen(changed(high, { position: 2 }))
    const client = await stage.identify(ada)
    const [ready] = client.dispatches.filter(({ t }) => t === 'READY')
    expect(ready?.d).toMatchObject({
      guilds: [{ roles: [{ id: high }, { id: low }, { id: middle }, { id: home.id, name: '@everyone' }] }],
    })
  })
})

describe('a guild that passes to another owner', () => {
  it('is sent as it is now, and the change of owner to those who may read the audit log', async () => {
    const heir = stage.account()
    stage.happen(joined(home.id, heir.id))
    const session = await stage.identify(heir)
    await stage.heard(home, owner, plain, session)
    stage.happen({ type: 'OwnershipTransferred', data: { guildId: home.id, from: ada.id, to: heir.id } })
    const [byOld = [], byPlain = [], byNew = []] = await stage.told(home, owner, plain, session)
    for (const told of [byOld, byPlain, byNew]) {
      expect(told[0]).toMatchObject({ t: 'GUILD_UPDATE', d: { id: home.id, guild_id: home.id, owner_id: heir.id } })
    }
    const entry = {
      action_type: 1,
      target_id: home.id,
      changes: [{ key: 'owner_id', old_value: ada.id, new_value: heir.id }],
    }
    expect(byNew.at(-1)).toMatchObject({ t: 'GUILD_AUDIT_LOG_ENTRY_CREATE', d: entry })
    expect(byPlain).toHaveLength(1)
    expect(byOld.map(({ t }) => t)).not.toContain('GUILD_AUDIT_LOG_ENTRY_CREATE')
  })
})
