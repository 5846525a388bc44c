import { createHash } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { imageKinds, type ImageKind } from '../../../../domain/images/image-kinds.ts'
import { removeLeftoverImages } from '../../../../application/images/remove-leftovers.ts'
import { secondsAfter, timestamp } from '../../../../domain/kernel/timestamp.ts'
import type { FieldCode } from '../../../../domain/kernel/field-codes.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite, type TestGuild } from '../../support/answers.ts'
import { applicationsPath, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { movingImage, stillImage } from '../../support/pictures.ts'
import { circle, openGroup, privateChannelsOn, saidIn } from '../../conversations/private-channels/support.ts'
import { openServer } from '../../support/scene.ts'

/** Avatars and banners of accounts, bots and members, and icons of groups. */

const plain = await openServer()
/** Here everybody may have a banner, an animated avatar, and both for each guild. */
const perks = { feature_animated_avatar: 1, feature_animated_banner: 1, feature_per_guild_profiles: 1 }
const generous = await openServer({ limits: perks })
/** Here everybody may have images for each guild, but only of the kinds that need no feature. */
const profiled = await openServer({ limits: { feature_per_guild_profiles: 1 } })
const [red, teal, moving] = [await stillImage('red'), await stillImage('teal'), await movingImage()]
let ada: TestAccount

const { connect, end } = connections()

beforeEach(async () => {
  ada = await generous.register()
})
afterAll(end)

const patch = (on: TestGuildhall, { token }: TestAccount, body: object) =>
  on.request('PATCH', '/v1/users/@me', { token, body })
const statusOf = async (path: string) => (await generous.request('GET', path)).status
const hashOf = (answer: TestAnswer, name = 'avatar'): string => String(bodyOf(answer)[name])

describe('the images of an account', () => {
  it('are stored, sent and replaced; a replaced one is removed', async () => {
    const { client } = await connect(generous, ada)
    const first = hashOf(await patch(generous, ada, { avatar: red }))
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    const update = (await client.dispatch('USER_UPDATE')).d
    expect(update).toMatchObject({ avatar: first, avatar_color: expect.any(Number) })
    // Almost red: the stored image is not identical.
    expect(Number(Reflect.get(Object(update), 'avatar_color')) >> 20).toBe(0xf)
    expect(await statusOf(`/media/avatars/${ada.id}/${first}`)).toBe(200)
    const second = hashOf(await patch(generous, ada, { avatar: `data:image/png;base64,${teal}` }))
    expect(second).not.toBe(first)
    await expect.poll(() => statusOf(`/media/avatars/${ada.id}/${first}`)).toBe(404)
    expect(await statusOf(`/media/avatars/${ada.id}/${second}`)).toBe(200)
    const other = await generous.register()
    expect(bodyOf(await generous.request('GET', `/v1/users/${ada.id}`, { token: other.token }))).toMatchObject({
      avatar: second,
    })
    expect(bodyOf(await patch(generous, ada, { avatar: null }))).toMatchObject({ avatar: null, avatar_color: null })
    await expect.poll(() => statusOf(`/media/avatars/${ada.id}/${second}`)).toBe(404)
  })

  it('stay the same if the same one is sent again', async () => {
    const first = hashOf(await patch(generous, ada, { avatar: red }))
    expect(hashOf(await patch(generous, ada, { avatar: red }))).toBe(first)
    expect(await statusOf(`/media/avatars/${ada.id}/${first}`)).toBe(200)
  })

  it('may be animated, and also exist as still images', async () => {
    const avatar = hashOf(await patch(generous, ada, { avatar: moving }))
    expect(avatar).toMatch(/^a_[0-9a-f]{32}$/)
    for (const name of [avatar, avatar.slice(2)]) expect(await statusOf(`/media/avatars/${ada.id}/${name}`)).toBe(200)
    await patch(generous, ada, { avatar: null })
    for (const name of [avatar, avatar.slice(2)])
      await expect.poll(() => statusOf(`/media/avatars/${ada.id}/${name}`)).toBe(404)
  })

  it('include a banner, which the profile shows', async () => {
    const banner = hashOf(await patch(generous, ada, { banner: red }), 'banner')
    expect(await statusOf(`/media/banners/${ada.id}/${banner}`)).toBe(200)
    const profile = await generous.request('GET', `/v1/users/${ada.id}/profile`, { token: ada.token })
    expect(bodyOf(profile)).toMatchObject({ user_profile: { banner, banner_color: expect.any(Number) } })
    const home = await found(generous, ada)
    const settings = { token: ada.token, body: { banner: teal } }
    const other = hashOf(await generous.request('PATCH', `/v1/guilds/${home.id}`, settings), 'banner')
    const { ready } = await connect(generous, ada)
    expect(ready['user']).toMatchObject({ banner, avatar: null })
    expect(JSON.stringify(ready['guilds'])).toContain(other)
  })

  const refused: readonly (readonly [string, () => object, string, FieldCode])[] = [
    ['nothing', () => ({ avatar: '' }), 'avatar', 'BASE64_LENGTH_INVALID'],
    ['too much', () => ({ avatar: 'A'.repeat(13_981_020) }), 'avatar', 'BASE64_LENGTH_INVALID'],
    ['no base64', () => ({ avatar: 'abc' }), 'avatar', 'INVALID_BASE64_FORMAT'],
    ['no image', () => ({ avatar: 'aGVsbG8=' }), 'avatar', 'INVALID_IMAGE_FORMAT'],
    ['more than avatar_max_size', () => ({ avatar: 'A'.repeat(13_981_016) }), 'avatar', 'IMAGE_SIZE_EXCEEDS_LIMIT'],
    ['an avatar that moves', () => ({ avatar: moving }), 'avatar', 'ANIMATED_AVATARS_REQUIRE_PREMIUM'],
    ['a banner', () => ({ banner: red }), 'banner', 'BANNERS_REQUIRE_PREMIUM'],
  ]
  it.each(refused)('refuse %s, and then change nothing', async (_, body, path, code) => {
    const account = await plain.register()
    expectFields(await patch(plain, account, { ...body(), bio: 'Not kept' }), field(path, code))
    expect(bodyOf(await plain.request('GET', '/v1/users/@me', { token: account.token }))).toMatchObject({
      avatar: null,
      banner: null,
      bio: null,
    })
    expect(bodyOf(await patch(plain, account, { avatar: null, banner: null }))).toMatchObject({ avatar: null })
  })

  it('go with the account when it is erased', async () => {
    const { avatar, banner } = bodyOf(await patch(generous, ada, { avatar: red, banner: teal }))
    await deletionIsDue(generous, ada)
    await erase(generous, ada)
    for (const path of [`avatars/${ada.id}/${String(avatar)}`, `banners/${ada.id}/${String(banner)}`])
      await expect.poll(() => statusOf(`/media/${path}`)).toBe(404)
  })
})

describe('images that operators have listed', () => {
  const list = async (name: string, body: object, method: 'POST' | 'DELETE' = 'POST') => {
    const admin = await administrator(generous, '*')
    const entries = `/v1/admin/blocklists/${name}/entries`
    expect((await generous.request(method, entries, { token: admin.token, body })).status).toBe(204)
  }

  it('are accepted nowhere, as files', async () => {
    const file = await stillImage('gold', 20, 20)
    await list('file-sha', { sha256_hex: createHash('sha256').update(Buffer.from(file, 'base64')).digest('hex') })
    for (const body of [{ avatar: file }, { banner: file }])
      expectRefusal(await patch(generous, ada, body), 403, 'CONTENT_BLOCKED')
    const guild = { token: ada.token, body: { name: 'Home', icon: file } }
    expectRefusal(await generous.request('POST', '/v1/guilds', guild), 403, 'CONTENT_BLOCKED')
  })

  it('are nobody’s avatar, by their hash, animated or still', async () => {
    const avatar = hashOf(await patch(generous, ada, { avatar: moving }))
    await list('avatar-hash', { hashes: [avatar.slice(2)] })
    const other = await generous.register()
    expectRefusal(await patch(generous, other, { avatar: moving }), 403, 'CONTENT_BLOCKED')
    expect((await patch(generous, other, { banner: moving })).status).toBe(200)
    await list('avatar-hash', { hashes: [avatar.slice(2)] }, 'DELETE')
    expect((await patch(generous, other, { avatar: moving })).status).toBe(200)
  })
})

it('a bot has the images that its owner sets', async () => {
  const engine = await newApplication(generous, ada)
  const path = `${applicationsPath}/${engine.id}/bot`
  const given = await generous.request('PATCH', path, { token: ada.token, body: { avatar: red, banner: teal } })
  const { avatar, banner } = bodyOf(given)
  expect(await statusOf(`/media/avatars/${engine.id}/${String(avatar)}`)).toBe(200)
  expect(await statusOf(`/media/banners/${engine.id}/${String(banner)}`)).toBe(200)
  const shown = await generous.request('GET', `/v1/users/${engine.id}`, { token: ada.token })
  expect(bodyOf(shown)).toMatchObject({ avatar, bot: true })
})

it('a bot counts as premium, and may have animated images', async () => {
  const owner = await plain.register()
  const engine = await newApplication(plain, owner)
  const body = { avatar: await movingImage(), banner: red }
  const given = await plain.request('PATCH', `${applicationsPath}/${engine.id}/bot`, { token: owner.token, body })
  expect(bodyOf(given)).toMatchObject({ avatar: expect.stringMatching(/^a_/), banner: expect.any(String) })
})

describe('the images of a member', () => {
  let home: TestGuild
  beforeEach(async () => {
    home = await found(generous, ada)
  })
  const change = (on: TestGuildhall, account: TestAccount, guild: TestGuild, body: object, who = '@me') =>
    on.request('PATCH', `/v1/guilds/${guild.id}/members/${who}`, { token: account.token, body })

  it('are its own in one guild, sent by Guild Member Update and listed in the audit log', async () => {
    const { client } = await connect(generous, ada)
    const { avatar, banner } = bodyOf(await change(generous, ada, home, { avatar: red, banner: teal }))
    expect((await client.dispatch('GUILD_MEMBER_UPDATE')).d).toMatchObject({ avatar, banner, user: { avatar: null } })
    const path = `/media/member-avatars/${home.id}-${ada.id}/${String(avatar)}`
    expect(await statusOf(path)).toBe(200)
    expect(await statusOf(`/media/member-banners/${home.id}-${ada.id}/${String(banner)}`)).toBe(200)
    const log = await generous.request('GET', `/v1/guilds/${home.id}/audit-logs?action_type=24`, { token: ada.token })
    expect(bodyOf(log)['audit_log_entries']).toMatchObject([
      { changes: expect.arrayContaining([expect.objectContaining({ key: 'avatar_hash', new_value: avatar })]) },
    ])
    expect(bodyOf(await change(generous, ada, home, { avatar: null }))).toMatchObject({ avatar: null, banner })
    await expect.poll(() => statusOf(path)).toBe(404)
  })

  it('are refused as those of an account are, and to everybody else', async () => {
    const brian = await profiled.register()
    const theirs = await found(profiled, brian)
    const own = (body: object) => change(profiled, brian, theirs, body)
    expectFields(await own({ avatar: moving }), field('avatar', 'ANIMATED_AVATARS_REQUIRE_PREMIUM'))
    expectFields(await own({ avatar: 'aaaa' }), field('avatar', 'INVALID_IMAGE_FORMAT'))
    expectFields(await own({ banner: red }), field('banner', 'BANNERS_REQUIRE_PREMIUM'))
    expect(bodyOf(await own({ avatar: red }))).toMatchObject({ avatar: expect.any(String) })
    const carol = await profiled.register()
    await accept(profiled, carol, await invite(profiled, brian, theirs.channel))
    expectRefusal(await change(profiled, brian, theirs, { avatar: red }, carol.id), 403, 'MISSING_PERMISSIONS')
  })

  it('are dropped if the account may have none of its own in a guild, avatar and banner alike', async () => {
    const brian = await plain.register()
    const theirs = await found(plain, brian)
    const answer = await change(plain, brian, theirs, { avatar: red, banner: teal, nick: 'Countess' })
    expect(bodyOf(answer)).toMatchObject({ avatar: null, banner: null, nick: 'Countess' })
    expect(bodyOf(await change(plain, brian, theirs, { avatar: null }))).toMatchObject({ avatar: null })
  })
})

it('a group has an icon, told by a system message, and removed with the group', async () => {
  const on = privateChannelsOn(generous)
  const [owner, one] = await circle(generous, 1)
  const channel = await openGroup(generous, owner, one)
  const { client } = await connect(generous, owner)
  const icon = hashOf(await on.change(one, channel, { icon: red }), 'icon')
  expect((await client.dispatch('CHANNEL_UPDATE')).d).toMatchObject({ id: channel, icon })
  expect((await saidIn(generous, owner, channel))[0]).toMatchObject({ type: 5, author: one.id, content: icon })
  const path = `/media/channel-icons/${channel}/${icon}`
  expect(await statusOf(path)).toBe(200)
  const count = (await on.messages(owner, channel)).length
  expect(bodyOf(await on.change(one, channel, { icon: red }))).toMatchObject({ icon })
  expect(await on.messages(owner, channel)).toHaveLength(count)
  expectFields(await on.change(one, channel, { icon: 'aGVsbG8=' }), field('icon', 'INVALID_IMAGE_FORMAT'))
  for (const account of [one, owner])
    await generous.request('DELETE', `/v1/channels/${channel}`, { token: account.token })
  await expect.poll(() => statusOf(path)).toBe(404)
})

describe('images without a reference', () => {
  const age_s = 26 * 3600
  const remove = (seconds: number) => removeLeftoverImages(generous.ports)(secondsAfter(timestamp(Date.now()), seconds))

  it('are removed once they are a day old, and all others stay', async () => {
    const { images } = generous.ports
    const { avatar } = bodyOf(await patch(generous, ada, { avatar: moving }))
    const home = await found(generous, ada)
    const { icon } = bodyOf(
      await generous.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: { icon: red } }),
    )
    const read = await images.read(Buffer.from(teal, 'base64'), { ip: '127.0.0.1' })
    if (typeof read === 'string') throw new Error('It is an image')
    const leftovers: string[] = []
    for (const kind of imageKinds) {
      const owners: Partial<Record<ImageKind, string>> = { avatars: ada.id, branding: 'icon' }
      const twofold = kind.startsWith('member-') ? `${home.id}-${ada.id}` : (owners[kind] ?? home.id)
      const owner = kind === 'emojis' || kind === 'stickers' ? `${home.id}/${ada.id}` : twofold
      leftovers.push(`/media/${kind}/${owner}/${(await read.store({ kind, owner })).hash}`)
    }
    await remove(age_s - 60)
    for (const path of leftovers) expect(await statusOf(path)).toBe(200)
    expect(await remove(age_s + 60)).toBeGreaterThanOrEqual(leftovers.length)
    for (const path of leftovers) expect(await statusOf(path)).toBe(404)
    expect(await statusOf(`/media/icons/${home.id}/${String(icon)}`)).toBe(200)
    for (const name of [String(avatar), String(avatar).slice(2)])
      expect(await statusOf(`/media/avatars/${ada.id}/${name}`)).toBe(200)
    expect(await remove(age_s + 60)).toBe(0)
  })
})
