import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import type { DryRunObject } from '../../../../application/wire-objects/administration/dry-run-object.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { newCode } from '../../support/custom-codes.ts'
import { setFeatures } from '../../support/guilds.ts'
import { foundWith, openScene } from '../../support/scene.ts'
import { guildChangesOn, unknownGuild } from './support.ts'

const { guildhall, ada, brian, carol, home } = await openScene()
const { root, change, lastEntry, lastOwnEntry } = await guildChangesOn(guildhall)
const { connect, end } = connections()
afterAll(end)

const ownerOf = async (id: string) =>
  bodyOf(await guildhall.request('GET', `/v1/guilds/${id}`, { token: ada.token }))['owner_id']
const get = (code: string) => guildhall.request('GET', `/v1/invites/${code}`)

describe('Set guild owner', () => {
  const give = (id: string, to: string, by = root) => change('PUT', `${id}/owner`, { new_owner_id: to }, by)

  it('makes a member the owner, without asking the one before, and tells the members', async () => {
    const { client } = await connect(guildhall, brian)
    const { guild } = bodyOf(await give(home.id, brian.id))
    expect(guild).toMatchObject({ id: home.id, owner_id: brian.id })
    expect((await client.dispatch('GUILD_UPDATE')).d).toMatchObject({ id: home.id, owner_id: brian.id })
    expect(await lastOwnEntry(home.id, brian)).toMatchObject({
      action_type: 1,
      user_id: null,
      changes: [{ key: 'owner_id', old_value: ada.id, new_value: brian.id }],
    })
    expect(await lastEntry()).toMatchObject({
      action: 'transfer_ownership',
      targetType: 'guild',
      targetId: home.id,
      metadata: { old_owner_user_id: ada.id, new_owner_user_id: brian.id },
    })
    bodyOf(await give(home.id, brian.id))
    expect(await ownerOf(home.id)).toBe(brian.id)
    bodyOf(await give(home.id, ada.id))
  })
  it('refuses who is no member, bots, and unknown guilds, and writes nothing in a dry run', async () => {
    expectRefusal(await give(home.id, carol.id), 404, 'UNKNOWN_MEMBER')
    expectRefusal(await give(unknownGuild, brian.id), 404, 'UNKNOWN_GUILD')
    const bot = await guildhall.register()
    bodyOf(await change('PUT', `${home.id}/members/${bot.id}`))
    bodyOf(
      await guildhall.request('PUT', `/v1/admin/users/${bot.id}/bot-status`, {
        token: root.token,
        body: { bot: true },
      }),
    )
    expectRefusal(await give(home.id, bot.id), 400, 'CANNOT_TRANSFER_OWNERSHIP_TO_BOT')
    const narrow = await administrator(guildhall, 'admin:authenticate', 'guild:update:settings')
    expectRefusal(await give(home.id, brian.id, narrow), 403, 'MISSING_ACL')
    const dry = await change('PUT', `${home.id}/owner?dry_run=true`, { new_owner_id: brian.id })
    expect((dry.body as DryRunObject).events.map(({ type }) => type)).toContain('OwnershipTransferred')
    expect(await ownerOf(home.id)).toBe(ada.id)
  })
  it('never gives a guild to somebody who leaves it at that moment', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const guild = await foundWith(guildhall, ada, carol)
        const [given, left] = await Promise.all([
          give(guild.id, carol.id),
          guildhall.request('DELETE', `/v1/users/@me/guilds/${guild.id}`, { token: carol.token }),
        ])
        const owns = (await ownerOf(guild.id)) === carol.id
        const members = bodyOf(await change('PATCH', `${guild.id}/features`, {}))['guild']
        return { given: given.status === 200, left: left.status === 204, owns, members }
      }),
    )
    for (const { given, left, owns, members } of outcomes) {
      expect(given).toBe(!left)
      expect(owns).toBe(given)
      expect(members).toMatchObject({ member_count: left ? 1 : 2 })
    }
  })
})

describe('Set guild custom invite URL', () => {
  const name = (id: string, code: unknown, by = root) => change('PUT', `${id}/vanity-url`, { code }, by)

  it('gives a code to a guild without the feature, replaces it, and takes it away', async () => {
    const guild = await foundWith(guildhall, ada, brian)
    await setFeatures(guildhall, guild.id)
    const { client } = await connect(guildhall, brian)
    const [first, second] = [newCode(), newCode()]
    expect(bodyOf(await name(guild.id, first.toUpperCase()))).toMatchObject({ guild: { id: guild.id } })
    expect((await client.dispatch('GUILD_UPDATE')).d).toMatchObject({ vanity_url_code: first })
    expect(await lastOwnEntry(guild.id, ada)).toMatchObject({
      user_id: null,
      changes: [{ key: 'vanity_url_code', old_value: null, new_value: first }],
    })
    expect((await accept(guildhall, carol, first)).status).toBe(200)
    bodyOf(await name(guild.id, first))
    bodyOf(await name(guild.id, second))
    expect(await lastEntry()).toMatchObject({
      action: 'update_vanity',
      targetId: guild.id,
      metadata: { old_code: first, new_code: second },
    })
    expectRefusal(await get(first), 404, 'UNKNOWN_INVITE')
    expect((await get(second)).status).toBe(200)
    bodyOf(await change('DELETE', `${guild.id}/vanity-url`))
    expectRefusal(await get(second), 404, 'UNKNOWN_INVITE')
    expect(await lastEntry()).toMatchObject({
      action: 'update_vanity',
      metadata: { old_code: second, new_code: 'null' },
    })
    bodyOf(await change('DELETE', `${guild.id}/vanity-url`))
  })
  it('refuses what is no code, taken ones and unknown guilds, and writes nothing in a dry run', async () => {
    const other = await found(guildhall, ada)
    const [taken, free] = [newCode(), newCode()]
    bodyOf(await name(other.id, taken))
    const at = (code: Parameters<typeof field>[1]) => field('code', code)
    expectFields(await name(home.id, taken), at('VANITY_URL_CODE_ALREADY_TAKEN'))
    expectFields(await name(home.id, await invite(guildhall, ada, other.channel)), at('VANITY_URL_CODE_ALREADY_TAKEN'))
    expectFields(await name(home.id, 'a!b'), at('VANITY_URL_INVALID_CHARACTERS'))
    expectFields(await name(home.id, 'a'), at('VANITY_URL_CODE_LENGTH_INVALID'))
    expectFields(await name(home.id, 'my-guildhall'), at('VANITY_URL_CODE_CANNOT_CONTAIN_SERVICE_NAME'))
    expectRefusal(await name(home.id, null), 400, 'INVALID_FORM_BODY')
    expectRefusal(await name(unknownGuild, free), 404, 'UNKNOWN_GUILD')
    expectRefusal(await change('DELETE', `${unknownGuild}/vanity-url`), 404, 'UNKNOWN_GUILD')
    const dry = await change('PUT', `${home.id}/vanity-url?dry_run=true`, { code: free })
    expect((dry.body as DryRunObject).events.map(({ type }) => type)).toContain('VanityCodeChanged')
    expectRefusal(await get(free), 404, 'UNKNOWN_INVITE')
  })
  it('gives a code that several guilds are to have at once to one of them', async () => {
    const guilds = await Promise.all(Array.from({ length: 6 }, () => found(guildhall, ada)))
    const code = newCode()
    const answers = await Promise.all(guilds.map(({ id }) => name(id, code)))
    const given = answers.flatMap(({ status }, index) => (status === 200 ? [guilds[index]?.id] : []))
    expect(given).toHaveLength(1)
    for (const answer of answers)
      if (answer.status !== 200) expectFields(answer, field('code', 'VANITY_URL_CODE_ALREADY_TAKEN'))
    expect(bodyOf(await get(code))).toMatchObject({ guild: { id: given[0] } })
  })
})
