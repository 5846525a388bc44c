import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import type { Client } from '../support/client.ts'
import { joined, rolesChanged, sometime } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let home: Place
let owner: Client

beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  home = stage.found(ada)
  owner = await stage.identify(ada)
})
afterEach(async () => {
  await stage.end()
})

/** A member with one role, and its session. */
async function holderOf(...permissions: readonly (keyof typeof permissionBits)[]): Promise<Client> {
  const account = stage.account()
  stage.happen(joined(home.id, account.id))
  stage.happen(rolesChanged(home.id, account.id, stage.role(home, ...permissions)))
  return stage.identify(account)
}

describe('an invite', () => {
  it('that is created is sent to holders of MANAGE_CHANNELS, and its entry to holders of VIEW_AUDIT_LOG', async () => {
    const clients = [
      await holderOf('MANAGE_CHANNELS'),
      await holderOf('VIEW_AUDIT_LOG'),
      await holderOf('MANAGE_GUILD'),
    ]
    const administrator = await holderOf('ADMINISTRATOR')
    await stage.heard(home, owner)
    stage.happen({ type: 'InviteCreated', data: stage.invite(home, ada) })
    expect(await stage.heard(home, ...clients, administrator, owner)).toStrictEqual([
      expect.arrayContaining(['INVITE_CREATE']),
      expect.arrayContaining(['GUILD_AUDIT_LOG_ENTRY_CREATE']),
      expect.not.arrayContaining(['INVITE_CREATE', 'GUILD_AUDIT_LOG_ENTRY_CREATE']),
      ['INVITE_CREATE', 'GUILD_AUDIT_LOG_ENTRY_CREATE'],
      ['INVITE_CREATE', 'GUILD_AUDIT_LOG_ENTRY_CREATE'],
    ])
    for (const [index, absent] of [
      [0, 'GUILD_AUDIT_LOG_ENTRY_CREATE'],
      [1, 'INVITE_CREATE'],
    ] as const) {
      expect(clients[index]?.dispatches.map(({ t }) => t)).not.toContain(absent)
    }
  })

  it('is sent as its metadata object', async () => {
    const terms = stage.invite(home, ada)
    stage.happen({ type: 'InviteCreated', data: terms })
    expect((await owner.dispatch('INVITE_CREATE')).d).toMatchObject({
      code: terms.code,
      type: 0,
      guild: { id: home.id, name: 'Home' },
      channel: { id: home.general, name: 'general', type: 0 },
      inviter: { id: ada.id },
      member_count: 1,
      presence_count: 1,
      expires_at: '2026-05-02T01:00:00.000Z',
      temporary: false,
      created_at: sometime,
      uses: 0,
      max_uses: 5,
      max_age: 3600,
    })
  })

  it('whose inviter is gone names a deleted account', async () => {
    stage.models.accounts.delete(ada.id)
    stage.happen({ type: 'InviteCreated', data: stage.invite(home, ada) })
    const { d } = await owner.dispatch('INVITE_CREATE')
    expect(d['inviter']).toMatchObject({ username: 'DeletedUser', discriminator: '0000', global_name: 'Deleted User' })
  })

  it('that is removed is sent with its code, its channel and its guild', async () => {
    const terms = stage.invite(home, ada)
    stage.happen({ type: 'InviteDeleted', data: { ...terms, uses: 1, deletedBy: ada.id } })
    const told = await owner.until(({ t }) => t === 'GUILD_AUDIT_LOG_ENTRY_CREATE', 'entry')
    expect(told.map(({ t }) => t)).toStrictEqual(['INVITE_DELETE', 'GUILD_AUDIT_LOG_ENTRY_CREATE'])
    expect(told[0]?.d).toStrictEqual({ code: terms.code, channel_id: home.general, guild_id: home.id })
    expect(told[1]?.d).toMatchObject({ guild_id: home.id, action_type: 42, target_id: terms.code, user_id: null })
    expect(told[1]?.d).not.toHaveProperty('reason')
  })

  it('depends on the permissions in its channel, including a member’s own overwrite', async () => {
    const account = stage.account()
    stage.happen(joined(home.id, account.id))
    const overwrite = { id: account.id, type: 1, allow: permissionBits.MANAGE_CHANNELS.toString(), deny: '0' }
    const plain = { type: 0, topic: null, nsfw: false, rateLimitPerUser: 0, voice: null, position: 9, parentId: null }
    const channel = { ...plain, id: stage.newId(), name: 'own', overwrites: [overwrite] }
    stage.happen({ type: 'ChannelCreated', data: { guildId: home.id, channel } })
    const alike = stage.account()
    stage.happen(joined(home.id, alike.id))
    const [special, ordinary] = [await stage.identify(account), await stage.identify(alike)]
    await stage.heard(home, special, ordinary)
    stage.happen({ type: 'InviteCreated', data: stage.invite(home, ada) })
    expect(await stage.heard(home, special, ordinary)).toStrictEqual([[], []])
    const { id: channelId } = channel
    stage.happen({ type: 'InviteCreated', data: { ...stage.invite(home, ada), channelId } })
    expect(await stage.heard(home, special, ordinary)).toStrictEqual([['INVITE_CREATE'], []])
  })
})

describe('a passive session of a guild with more than 250 members', () => {
  it('hears of the guild and its audit log, but not of members or invites', async () => {
    const large = stage.found(ada, { extras: 249 })
    const quiet = await stage.identify(ada)
    const active = await stage.identify(ada, { initial_guild_id: large.id })
    const bot = stage.account({ bot: true })
    stage.happen(joined(large.id, bot.id))
    const robot = await stage.identify(bot)
    await robot.dispatch('GUILD_CREATE')
    expect(await stage.heard(large, quiet, active)).toStrictEqual([[], ['GUILD_MEMBER_ADD']])
    await stage.heard(large, robot)

    stage.happen(joined(large.id, stage.account().id), { type: 'InviteCreated', data: stage.invite(large, ada) })
    stage.role(large)
    expect(await stage.heard(large, quiet, active, robot)).toStrictEqual([
      ['GUILD_AUDIT_LOG_ENTRY_CREATE', 'GUILD_AUDIT_LOG_ENTRY_CREATE'],
      expect.arrayContaining([
        'GUILD_MEMBER_ADD',
        'INVITE_CREATE',
        'GUILD_AUDIT_LOG_ENTRY_CREATE',
        'GUILD_ROLE_CREATE',
      ]),
      ['GUILD_MEMBER_ADD', 'GUILD_ROLE_CREATE'],
    ])
  })

  it('does not exist in a guild with 250', async () => {
    const large = stage.found(ada, { extras: 248 })
    const quiet = await stage.identify(ada)
    stage.happen(joined(large.id, stage.account().id))
    expect(await stage.heard(large, quiet)).toStrictEqual([['GUILD_MEMBER_ADD']])
  })
})
