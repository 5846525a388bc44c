import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { adminKeyOf, administrator, auditEntries } from '../../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal, found } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { applied } from '../../support/discovery.ts'
import { commandGuild } from '../../support/guilds.ts'
import { openScene } from '../../support/scene.ts'
import { guildChangesOn, unknownGuild } from './support.ts'

const { guildhall, ada, brian, home } = await openScene()
const { root, change, lastEntry, lastOwnEntry } = await guildChangesOn(guildhall)
const { connect, end } = connections()
afterAll(end)

const shown = async (id = home.id) => bodyOf(await guildhall.request('GET', `/v1/guilds/${id}`, { token: ada.token }))

/** How many entries of the admin audit log are about a guild. */
const entriesOf = async (id: string) => (await auditEntries(guildhall)).filter(({ targetId }) => targetId === id).length

describe('Update Admin guild', () => {
  it('renames a guild as the instance: members hear it, and do not learn who did it or why', async () => {
    const { client } = await connect(guildhall, brian)
    const { guild } = bodyOf(await change('PATCH', home.id, { name: ' Engine ' }, { ...root, reason: 'offensive' }))
    expect(guild).toMatchObject({ id: home.id, name: 'Engine', owner_id: ada.id, member_count: 2 })
    expect((await client.dispatch('GUILD_UPDATE')).d).toMatchObject({ id: home.id, name: 'Engine' })
    expect(await lastOwnEntry(home.id, ada)).toMatchObject({
      action_type: 1,
      user_id: null,
      changes: [{ key: 'name', old_value: 'Home', new_value: 'Engine' }],
    })
    expect(JSON.stringify(await lastOwnEntry(home.id, ada))).not.toMatch(`${root.id}|offensive`)
    expect(await lastEntry()).toMatchObject({
      action: 'update_name',
      targetType: 'guild',
      targetId: home.id,
      metadata: { old_name: 'Home', new_name: 'Engine' },
      reason: 'offensive',
    })
  })
  it('writes settings of a guild whose owner could not, and takes its images away', async () => {
    const image = { hash: 'abcd', width: 1, height: 1 }
    await commandGuild(guildhall, home.id, {
      type: 'ChangeSettings',
      settings: { icon: 'abcd', banner: image, splash: image, embedSplash: image },
    })
    const settings = {
      verification_level: 4,
      mfa_level: 1,
      nsfw_level: 3,
      explicit_content_filter: 2,
      default_message_notifications: 1,
      content_warning_text: ' Loud ',
      disabled_operations: 20,
    }
    const images = { icon: null, banner: null, splash: null, embed_splash: null }
    bodyOf(await change('PATCH', home.id, { ...settings, ...images }))
    expect(await shown()).toMatchObject({
      ...settings,
      ...images,
      verification_level: 3,
      content_warning_level: 1,
      content_warning_text: 'Loud',
    })
    expect(await lastEntry()).toMatchObject({
      action: 'update_settings',
      metadata: { verification_level: '3', mfa_level: '1', disabled_operations: '20', icon: 'null' },
    })
    bodyOf(await change('PATCH', home.id, { mfa_level: 0, disabled_operations: 0 }))
    expect(await shown()).toMatchObject({ mfa_level: 0, disabled_operations: 0, verification_level: 3 })
  })
  it('leaves an entry for the name and one for the settings if both are sent', async () => {
    const before = (await auditEntries(guildhall)).length
    bodyOf(await change('PATCH', home.id, { name: 'Home', nsfw: false }))
    const entries = (await auditEntries(guildhall)).slice(before)
    expect(entries.map(({ action, metadata }) => [action, metadata])).toStrictEqual([
      ['update_name', { old_name: 'Engine', new_name: 'Home' }],
      ['update_settings', { nsfw: 'false' }],
    ])
  })
  it('asks for the ACL of each part, and writes nothing if one is missing', async () => {
    const naming = await administrator(guildhall, 'admin:authenticate', 'guild:update:name')
    const setting = await administrator(guildhall, 'admin:authenticate', 'guild:update:settings')
    const before = await entriesOf(home.id)
    const both = { name: 'Half', verification_level: 1 }
    for (const [by, body] of [
      [naming, both],
      [setting, both],
      [naming, { verification_level: 1 }],
      [naming, {}],
      [setting, { name: 'Half' }],
    ] as const)
      expectRefusal(await change('PATCH', home.id, body, by), 403, 'MISSING_ACL')
    const key = await adminKeyOf(guildhall, root, 'guild:update:name')
    const byKey = await guildhall.request('PATCH', `/v1/admin/guilds/${home.id}`, {
      headers: { Authorization: key },
      body: both,
    })
    expectRefusal(byKey, 403, 'MISSING_ACL')
    expect(await shown()).toMatchObject({ name: 'Home', verification_level: 3 })
    expect(await entriesOf(home.id)).toBe(before)
    bodyOf(await change('PATCH', home.id, { name: 'Named' }, naming))
    bodyOf(await change('PATCH', home.id, { verification_level: 1 }, setting))
    expect(await shown()).toMatchObject({ name: 'Named', verification_level: 1 })
  })
  it('changes an unavailable guild', async () => {
    const guild = await found(guildhall, ada)
    await commandGuild(guildhall, guild.id, { type: 'SetFeatures', features: ['UNAVAILABLE_FOR_EVERYONE'] })
    expect(bodyOf(await change('PATCH', guild.id, { name: 'Closed' }))).toMatchObject({ guild: { name: 'Closed' } })
  })
  it('refuses unknown guilds, fields out of bounds, images to set, and a listed guild without verification', async () => {
    expectRefusal(await change('PATCH', unknownGuild, { name: 'Engine' }), 404, 'UNKNOWN_GUILD')
    expectFields(await change('PATCH', home.id, { name: '' }), field('name', 'STRING_LENGTH_INVALID'))
    expectFields(
      await change('PATCH', home.id, { disabled_operations: 128 }),
      field('disabled_operations', 'INVALID_FORMAT'),
    )
    expectRefusal(await change('PATCH', home.id, { icon: 'data:image/png;base64,AA==' }), 400, 'INVALID_FORM_BODY')
    const listed = await applied(guildhall, ada)
    bodyOf(await change('PATCH', `${listed.id}/features`, { add_features: ['DISCOVERABLE'] }))
    expectFields(
      await change('PATCH', listed.id, { name: 'Listed', verification_level: 0 }),
      field('verification_level', 'DISCOVERABLE_GUILD_VERIFICATION_LEVEL_TOO_LOW'),
    )
    expect((await shown(listed.id))['name']).not.toBe('Listed')
  })
})

describe('Update guild features', () => {
  it('gives features that members cannot toggle, and tells the members', async () => {
    const { client } = await connect(guildhall, brian)
    const body = { add_features: ['VERIFIED', 'VANITY_URL'], remove_features: ['BANNER', 'VANITY_URL'] }
    const { guild } = bodyOf(await change('PATCH', `${home.id}/features`, body))
    const { features } = guild as { readonly features: readonly string[] }
    expect(features).toContain('VERIFIED')
    expect(features).not.toContain('VANITY_URL')
    expect((await client.dispatch('GUILD_UPDATE')).d).toMatchObject({
      features: expect.arrayContaining(['VERIFIED']),
    })
    expect(await lastEntry()).toMatchObject({
      action: 'update_features',
      targetId: home.id,
      metadata: {
        add_features: 'VERIFIED,VANITY_URL',
        remove_features: 'BANNER,VANITY_URL',
        new_features: features.join(','),
      },
    })
  })
  it('refuses unknown features, unknown guilds, and DISCOVERABLE for a guild that has not applied', async () => {
    expectRefusal(await change('PATCH', `${home.id}/features`, { add_features: ['FLYING'] }), 400, 'INVALID_FORM_BODY')
    const verified = { add_features: ['VERIFIED'] }
    expectRefusal(await change('PATCH', `${unknownGuild}/features`, verified), 404, 'UNKNOWN_GUILD')
    expectRefusal(
      await change('PATCH', `${home.id}/features`, { add_features: ['DISCOVERABLE'] }),
      404,
      'DISCOVERY_APPLICATION_NOT_FOUND',
    )
    const narrow = await administrator(guildhall, 'admin:authenticate', 'guild:update:settings')
    expectRefusal(await change('PATCH', `${home.id}/features`, verified, narrow), 403, 'MISSING_ACL')
  })
})
