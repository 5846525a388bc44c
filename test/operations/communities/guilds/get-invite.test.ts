import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal, found, invite, type TestGuild } from '../../support/answers.ts'
import { customCodesOn, newCode, setFeatures } from '../../support/custom-codes.ts'
import { placeOf } from '../../support/members.ts'
import { movingImage, stillImage } from '../../support/pictures.ts'
import { openScene } from '../../support/scene.ts'
import { circle, openDirect, openGroup, privateChannelsOn } from '../../conversations/private-channels/support.ts'

const { guildhall, ada, brian, carol, home } = await openScene()

const { choose } = customCodesOn(() => guildhall)
const get = (code: string, headers = {}) =>
  guildhall.request('GET', `/v1/invites/${encodeURIComponent(code)}`, { headers })
const everyone = async (guild: TestGuild, channel: string, deny: string) =>
  guildhall.request('PUT', `/v1/channels/${channel}/permissions/${guild.id}`, {
    token: ada.token,
    body: { type: 0, allow: '0', deny },
  })

describe('Get invite', () => {
  it('needs no credential, and ignores an invalid one: it is the same for every caller', async () => {
    const code = await invite(guildhall, ada, home.channel)
    const open = await get(code)
    for (const authorization of [ada.token, carol.token, 'Bearer nonsense', 'Bot nonsense', 'nonsense', ' '])
      expect((await get(code, { authorization })).body).toStrictEqual(open.body)
  })

  it('answers with the invite object, and not with its metadata', async () => {
    const code = await invite(guildhall, brian, home.channel, { max_age: 60, max_uses: 5 })
    const body = bodyOf(await get(code))
    expect(body).toStrictEqual({
      code,
      type: 0,
      guild: {
        id: home.id,
        name: 'Home',
        icon: null,
        banner: null,
        banner_width: null,
        banner_height: null,
        splash: null,
        splash_width: null,
        splash_height: null,
        splash_card_alignment: 0,
        embed_splash: null,
        embed_splash_width: null,
        embed_splash_height: null,
        features: expect.arrayContaining(['ANIMATED_ICON']),
      },
      channel: { id: home.channel, name: 'general', type: 0 },
      inviter: expect.objectContaining({ id: brian.id }),
      member_count: 2,
      presence_count: 0,
      expires_at: expect.stringMatching(/Z$/),
      temporary: false,
    })
  })

  it('shows the images of the guild as its features allow', async () => {
    const place = await placeOf(guildhall, ada)
    const [moving, still] = [await movingImage(), await stillImage('red', 48, 27)]
    await setFeatures(guildhall, place.id, 'BANNER', 'INVITE_SPLASH', 'ANIMATED_BANNER', 'ANIMATED_ICON')
    const images = { icon: moving, banner: moving, splash: still, embed_splash: still }
    const { icon, banner, splash, embed_splash: embedSplash } = bodyOf(await place.send(ada, 'PATCH', '', images))
    const code = await invite(guildhall, ada, place.channel)
    const shown = async () => bodyOf(await get(code))['guild']
    const splashes = { splash, splash_width: 48, embed_splash: embedSplash, embed_splash_height: 27 }
    expect(await shown()).toMatchObject({ icon, banner, banner_width: 16, ...splashes })
    await setFeatures(guildhall, place.id, 'BANNER', 'INVITE_SPLASH')
    const atRest = { icon: String(icon).slice(2), banner: String(banner).slice(2) }
    expect(await shown()).toMatchObject({ ...atRest, ...splashes })
    await setFeatures(guildhall, place.id)
    const none = { banner: null, banner_width: null, banner_height: null, splash: null, splash_width: null }
    const noneEither = { splash_height: null, embed_splash: null, embed_splash_width: null, embed_splash_height: null }
    expect(await shown()).toMatchObject({ icon: atRest.icon, ...none, ...noneEither, features: [] })
  })

  it('takes no use', async () => {
    const code = await invite(guildhall, ada, home.channel, { max_uses: 1 })
    await get(code)
    expect((await get(code)).status).toBe(200)
  })

  it('normalises the code: no form feeds, no right-to-left overrides, trimmed', async () => {
    const code = await invite(guildhall, ada, home.channel)
    expect(bodyOf(await get(` \u202e${code.slice(0, 4)}\f${code.slice(4)} `))['code']).toBe(code)
    expect((await get('x'.repeat(256))).status).toBe(404)
    expect((await get(` ${'x'.repeat(256)}\f`)).status).toBe(404)
    for (const none of ['x'.repeat(257), ' ', '\f\u202e'])
      expectFields(await get(none), field('invite_code', 'STRING_LENGTH_INVALID'))
  })

  it('refuses with UNKNOWN_INVITE if there is no record: random codes are case-sensitive', async () => {
    const code = await invite(guildhall, ada, home.channel)
    for (const other of ['nobodys1', `${code}x`, swapCase(code)]) expectRefusal(await get(other), 404, 'UNKNOWN_INVITE')
  })

  it('refuses with UNKNOWN_CHANNEL if its channel is gone, and with UNKNOWN_GUILD if its guild is', async () => {
    const place = await found(guildhall, carol)
    const code = await invite(guildhall, carol, place.channel)
    await guildhall.request('DELETE', `/v1/channels/${place.channel}`, { token: carol.token })
    expectRefusal(await get(code), 404, 'UNKNOWN_CHANNEL')
    const proof = { password: carol.password }
    await guildhall.request('POST', `/v1/guilds/${place.id}/delete`, { token: carol.token, body: proof })
    expectRefusal(await get(code), 404, 'UNKNOWN_GUILD')
  })
})

describe('Get invite of a custom invite URL', () => {
  it('is found in any case, with neither inviter nor end, at the first text channel that the default role can view', async () => {
    const place = await found(guildhall, ada)
    await setFeatures(guildhall, place.id, 'VANITY_URL')
    const code = newCode()
    await choose(ada, place.id, code)
    const expected = { code, type: 0, inviter: null, expires_at: null, temporary: false, member_count: 1 }
    const channel = { id: place.channel, name: 'general', type: 0 }
    expect(bodyOf(await get(code.toUpperCase()))).toMatchObject({ ...expected, channel })
    const channels = `/v1/guilds/${place.id}/channels`
    const made = await guildhall.request('POST', channels, { token: ada.token, body: { type: 0, name: 'below' } })
    const below = String(bodyOf(made)['id'])
    await everyone(place, place.channel, '1024')
    expect(bodyOf(await get(code))).toMatchObject({ channel: { id: below, name: 'below' } })
    await everyone(place, below, '1024')
    expectRefusal(await get(code), 404, 'UNKNOWN_INVITE')
    const accepting = await guildhall.request('POST', `/v1/invites/${code}`, { token: carol.token })
    expectRefusal(accepting, 404, 'UNKNOWN_INVITE')
    expect((await get(code)).status).toBe(404)
  })

  it('comes after a random code with the same letters', async () => {
    const code = await invite(guildhall, ada, home.channel)
    expect(bodyOf(await get(code))['inviter']).toMatchObject({ id: ada.id })
  })
})

describe('Get invite of a group', () => {
  it('has all recipients, including the creator, and nothing of a guild', async () => {
    const [owner, one, other] = await circle(guildhall, 2)
    if (!other) throw new Error('nobody came')
    const group = await openGroup(guildhall, owner, one, other)
    const code = await invite(guildhall, one, group, { temporary: true })
    const body = bodyOf(await get(code))
    expect(body).toStrictEqual({
      code,
      type: 1,
      channel: { id: group, name: null, type: 3, recipients: expect.any(Array) },
      inviter: expect.objectContaining({ id: one.id }),
      member_count: 3,
      expires_at: null,
      temporary: true,
    })
    const channel = body['channel'] as { readonly recipients: readonly object[] }
    expect(channel.recipients).toStrictEqual(
      Array.from({ length: 3 }, () => ({ username: expect.stringMatching(/^user_/) })),
    )
    await privateChannelsOn(guildhall).change(owner, group, { name: 'Us' })
    expect(bodyOf(await get(code))).toMatchObject({ channel: { name: 'Us' } })
  })

  it('refuses with UNKNOWN_CHANNEL if the group is gone', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const group = await openGroup(guildhall, owner, one)
    const code = await invite(guildhall, owner, group)
    for (const each of [one, owner]) await privateChannelsOn(guildhall).close(each, group)
    expectRefusal(await get(code), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await guildhall.request('POST', `/v1/invites/${code}`, { token: one.token }), 404, 'UNKNOWN_INVITE')
    expectRefusal(
      await guildhall.request('DELETE', `/v1/invites/${code}`, { token: one.token }),
      404,
      'UNKNOWN_CHANNEL',
    )
  })

  it('names nobody for a direct message', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const code = await invite(guildhall, owner, await openDirect(guildhall, owner, one))
    const body = bodyOf(await get(code))
    expect(body).toMatchObject({ type: 1, member_count: 2, channel: { name: null, type: 1 } })
    expect(body['channel']).not.toHaveProperty('recipients')
  })
})

function swapCase(text: string): string {
  return Array.from(text, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('')
}
