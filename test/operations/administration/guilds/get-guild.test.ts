import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal, invite } from '../../support/answers.ts'
import { appendBan } from '../../support/bans.ts'
import { chess, directoryOf } from '../../support/discovery.ts'
import { commandGuild } from '../../support/guilds.ts'
import { openScene } from '../../support/scene.ts'
import { guildReadsOn, unknownGuild } from './support.ts'

const { guildhall, ada, carol, home } = await openScene()
const { root, read, lastEntry } = await guildReadsOn(guildhall)

describe('Get Admin guild', () => {
  it('gives the guild with its owner, its settings and its counts', async () => {
    await invite(guildhall, ada, home.channel)
    await appendBan(guildhall, { guild: home, moderator: ada, account: carol, terms: {} })
    const { guild } = bodyOf(await read(`/${home.id}`))
    const { username } = bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }))
    expect(guild).toStrictEqual({
      id: home.id,
      name: 'Home',
      features: expect.any(Array),
      owner_id: ada.id,
      owner_username: username,
      owner_global_name: null,
      owner_discriminator: expect.stringMatching(/^\d{4}$/),
      icon: null,
      banner: null,
      member_count: 2,
      nsfw_level: 0,
      created_at: expect.any(String),
      discovery: null,
      splash: null,
      embed_splash: null,
      vanity_url_code: null,
      verification_level: 0,
      mfa_level: 0,
      explicit_content_filter: 0,
      default_message_notifications: 0,
      system_channel_id: home.channel,
      system_channel_flags: 0,
      rules_channel_id: null,
      afk_channel_id: null,
      afk_timeout: 300,
      nsfw: false,
      content_warning_level: 0,
      content_warning_text: null,
      disabled_operations: 0,
      message_history_cutoff: null,
      splash_card_alignment: 0,
      channel_count: expect.any(Number),
      role_count: 1,
      invite_count: 2,
      ban_count: 1,
    })
    const channels = await guildhall.request('GET', `/v1/guilds/${home.id}/channels`, { token: ada.token })
    expect(guild).toMatchObject({ channel_count: (channels.body as readonly unknown[]).length })
  })
  it('gives its application to the directory, and what its features would hide', async () => {
    bodyOf(await directoryOf(guildhall).apply(ada, home.id))
    const image = { hash: 'abcd', width: 1, height: 1 }
    await commandGuild(guildhall, home.id, {
      type: 'ChangeSettings',
      settings: { splash: image, disabledOperations: 4 },
    })
    await commandGuild(guildhall, home.id, { type: 'SetFeatures', features: ['UNAVAILABLE_FOR_EVERYONE'] })
    expect(bodyOf(await read(`/${home.id}`))).toMatchObject({
      guild: {
        features: ['UNAVAILABLE_FOR_EVERYONE'],
        splash: 'abcd',
        disabled_operations: 4,
        discovery: { status: 'pending', ...chess },
      },
    })
  })
  it('is null for a guild that is unknown, and records that nothing was found', async () => {
    expect(bodyOf(await read(`/${unknownGuild}`))).toStrictEqual({ guild: null })
    const entry = { action: 'get_guild', targetType: 'guild', metadata: { found: 'false' } }
    expect(await lastEntry()).toMatchObject({ ...entry, targetId: unknownGuild })
    await read(`/${home.id}`)
    expect(await lastEntry()).toMatchObject({ action: 'get_guild', targetId: home.id, metadata: { found: 'true' } })
  })
  it('refuses what is no id, and callers without a credential or the ACL, and records none of them', async () => {
    const before = (await auditEntries(guildhall)).length
    const narrow = await administrator(guildhall, 'admin:authenticate', 'guild:list:members')
    expectFields(await read('/none', root), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectRefusal(await read(`/${home.id}`, narrow), 403, 'MISSING_ACL')
    expectRefusal(await read(`/${home.id}`, ada), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await guildhall.request('GET', `/v1/admin/guilds/${home.id}`), 401, 'UNAUTHORIZED')
    expect(await auditEntries(guildhall)).toHaveLength(before)
  })
})
