import { file, payload, sendForm } from '../../support/forms.ts'
import { describe, expect, it } from 'vitest'
import { bodyOf, expectRefusal } from '../../support/answers.ts'
import { downloaded, harvestsOf, jsonIn, messagesIn, ownArchive } from '../../support/archives.ts'
import { send, sent } from '../../support/messages.ts'
import { stillImage } from '../../support/pictures.ts'
import { openScene } from '../../support/scene.ts'

const { guildhall, ada, brian, carol, home } = await openScene('brisk')
const instant = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)

async function directChannel(one: { readonly token: string }, other: { readonly id: string }): Promise<string> {
  const answer = await guildhall.request('POST', '/v1/users/@me/channels', {
    token: one.token,
    body: { recipient_id: other.id },
  })
  return String(bodyOf(answer)['id'])
}

describe('the archive of a holder', () => {
  it('begins at once as pending, and is complete soon', async () => {
    const harvests = harvestsOf(guildhall, carol)
    expect((await harvests.latest()).body).toBeNull()
    const asked = bodyOf(await harvests.ask())
    expect(asked).toEqual({ harvest_id: expect.any(String), status: 'pending', created_at: instant })
    const id = String(asked['harvest_id'])
    await expect.poll(async () => bodyOf(await harvests.get(id))['status']).toBe('completed')
    const done = bodyOf(await harvests.get(id))
    expect(done).toEqual({
      harvest_id: id,
      status: 'completed',
      created_at: asked['created_at'],
      started_at: instant,
      completed_at: instant,
      failed_at: null,
      file_size: expect.stringMatching(/^\d+$/),
      progress_percent: 100,
      progress_step: 'Completed',
      error_message: null,
      download_url_expires_at: instant,
      expires_at: done['download_url_expires_at'],
    })
    expect((await harvests.latest()).body).toEqual(done)
    const days = (Date.parse(String(done['expires_at'])) - Date.parse(String(done['completed_at']))) / 86_400_000
    expect(days).toBe(7)
  })
  it('has the account, its settings, sessions, relationships, guilds, messages and images', async () => {
    const { token } = ada
    await guildhall.request('PATCH', '/v1/users/@me', { token, body: { bio: 'Numbers', avatar: await stillImage() } })
    await guildhall.request('PATCH', '/v1/users/@me/settings', { token, body: { theme: 'light' } })
    const first = await sent(guildhall, ada, home.channel, 'first')
    await sent(guildhall, brian, home.channel, 'not hers')
    await sent(guildhall, ada, home.channel, 'second')
    const direct = await directChannel(ada, brian)
    await sent(guildhall, ada, direct, 'to Brian')
    await sent(guildhall, brian, direct, 'from Brian')
    const attached = await sendForm(guildhall, ada, home.channel, [
      payload({ content: 'with a file' }),
      file('files[0]', 'map.txt', 'the map'),
    ])
    const [map] = bodyOf(attached)['attachments'] as readonly { id: string }[]
    const message_reference = { type: 1, channel_id: home.channel, message_id: bodyOf(attached)['id'] }
    const forwarded = bodyOf(await send(guildhall, ada, home.channel, { message_reference })) as unknown as {
      readonly id: string
      readonly message_snapshots: readonly { readonly attachments: readonly { readonly id: string }[] }[]
    }
    const copy = forwarded.message_snapshots[0]?.attachments[0]?.id
    const files = await ownArchive(guildhall, ada)
    expect(Buffer.from(files.get(`channels/${home.channel}/attachments/${copy}/map.txt`) ?? []).toString()).toBe(
      'the map',
    )
    expect(jsonIn(files, `channels/${home.channel}/messages.json`)).toContainEqual(
      expect.objectContaining({
        id: forwarded.id,
        message_snapshots: [expect.objectContaining({ content: 'with a file' })],
      }),
    )
    expect(Buffer.from(files.get(`channels/${home.channel}/attachments/${map?.id}/map.txt`) ?? []).toString()).toBe(
      'the map',
    )
    expect(messagesIn(files)).toEqual({
      [home.channel]: expect.arrayContaining(['first', 'second']),
      [direct]: ['to Brian'],
    })
    const [message] = (jsonIn(files, `channels/${home.channel}/messages.json`) as readonly { id: string }[]).filter(
      ({ id }) => id === first,
    )
    expect(message).toMatchObject({ id: first, channel_id: home.channel, guild_id: home.id, timestamp: instant })
    expect(jsonIn(files, 'user.json')).toMatchObject({ id: ada.id, email: ada.email, bio: 'Numbers' })
    expect(jsonIn(files, 'account/settings.json')).toMatchObject({ settings: { theme: 'light' } })
    expect(jsonIn(files, 'account/security.json')).toMatchObject({
      has_password: true,
      sessions: [{ started_at: instant, ended_at: null, ip: expect.any(String) }],
    })
    expect(jsonIn(files, 'account/guilds.json')).toMatchObject([{ guild_id: home.id }])
    expect(jsonIn(files, 'account/private_channels.json')).toMatchObject([
      { channel_id: direct, kind: 'direct', recipient_ids: expect.arrayContaining([ada.id, brian.id]) },
    ])
    expect(jsonIn(files, 'account/relationships.json')).toEqual([])
    expect(jsonIn(files, 'integrations/oauth.json')).toEqual({ authorizations: [], applications: [] })
    expect(files.get('assets/user/avatar.webp')?.length).toBeGreaterThan(0)
  })
  it('is nobody else’s', async () => {
    const { harvest_id: id } = bodyOf(await harvestsOf(guildhall, ada).ask())
    const others = harvestsOf(guildhall, brian)
    expectRefusal(await others.get(String(id)), 404, 'UNKNOWN_HARVEST')
    expectRefusal(await others.link(String(id)), 404, 'UNKNOWN_HARVEST')
  })
  it('has a link that nobody can make, move or change', async () => {
    const harvests = harvestsOf(guildhall, carol)
    const [first, second] = [bodyOf(await harvests.ask()), bodyOf(await harvests.ask())].map((each) =>
      String(each['harvest_id']),
    )
    await expect.poll(async () => bodyOf(await harvests.get(String(second)))['status']).toBe('completed')
    await expect.poll(async () => bodyOf(await harvests.get(String(first)))['status']).toBe('completed')
    const url = String(bodyOf(await harvests.link(String(first)))['download_url'])
    expect((await downloaded(url)).has('user.json')).toBe(true)
    const codeOf = async (changed: string) => {
      const answer = await fetch(changed)
      return [answer.status, ((await answer.json()) as { readonly code: string }).code]
    }
    const unknown = [404, 'UNKNOWN_HARVEST']
    expect(await codeOf(url.replace(String(first), String(second)))).toEqual(unknown)
    expect(await codeOf(url.slice(0, -2))).toEqual(unknown)
    expect(await codeOf(url.replace(/\?.*/, ''))).toEqual(unknown)
    expect(await codeOf(url.replace(String(first), 'none'))).toEqual(unknown)
  })
})
