import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal, listOf, type TestGuild } from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { guildsOf, nowhere, setFeatures } from '../../support/guilds.ts'
import { letEveryone, messagesPath, sent } from '../../support/messages.ts'
import { foundWith, openScene } from '../../support/scene.ts'
import { threadsHeader, threadsOf } from '../../support/threads.ts'

let home: TestGuild

const { connect, end } = connections()

const { guildhall, ada, brian, carol: stranger } = await openScene()
const guilds = guildsOf(guildhall)
beforeEach(async () => {
  home = await foundWith(guildhall, ada, brian)
})
afterAll(end)

const idsIn = async (channel: string) =>
  listOf(
    await guildhall.request('GET', `${messagesPath(channel)}?limit=100`, {
      token: ada.token,
      headers: threadsHeader,
    }),
  ).map(({ id }) => id)
const newChannel = async () => {
  const body = { name: 'another', type: 0 }
  return String(
    bodyOf(await guildhall.request('POST', `/v1/guilds/${home.id}/channels`, { token: ada.token, body }))['id'],
  )
}

describe('deleting own messages in a guild', () => {
  it('deletes them in every channel and thread before the answer, and nobody else’s; the membership stays', async () => {
    const { started, write } = threadsOf(guildhall)
    const [channel, thread] = [await newChannel(), await started(ada, home.channel)]
    const theirs = [await sent(guildhall, ada, home.channel, 'hers'), await sent(guildhall, ada, channel, 'hers')]
    const mine = [
      await sent(guildhall, brian, home.channel, 'mine'),
      await sent(guildhall, brian, channel, 'mine'),
      String(bodyOf(await write(brian, thread, 'mine'))['id']),
    ]
    expect(await guilds.clear(brian, home.id)).toMatchObject({ status: 202, body: undefined })
    const left = [...(await idsIn(home.channel)), ...(await idsIn(channel)), ...(await idsIn(thread))]
    expect(left).toStrictEqual(expect.arrayContaining(theirs))
    for (const id of mine) expect(left).not.toContain(id)
    expect((await guilds.get(brian, home.id)).status).toBe(200)
    expect(await sent(guildhall, brian, home.channel, 'still here')).toMatch(/^\d+$/)
  })

  it('deletes those in a channel that the author can no longer see', async () => {
    const channel = await newChannel()
    const mine = await sent(guildhall, brian, channel, 'mine')
    await letEveryone(guildhall, ada, home, channel, { deny: ['VIEW_CHANNEL'] })
    expect((await guilds.clear(brian, home.id)).status).toBe(202)
    expect(await idsIn(channel)).not.toContain(mine)
  })

  it('announces each batch by a Message Delete Bulk of at most 100 ids, in its channel', async () => {
    const channel = await newChannel()
    const mine: string[] = []
    for (let count = 0; count < 101; count += 1) mine.push(await sent(guildhall, brian, home.channel, `${count}`))
    const other = await sent(guildhall, brian, channel, 'elsewhere')
    const { client } = await connect(guildhall, ada)
    expect((await guilds.clear(brian, home.id)).status).toBe(202)
    const told = [await client.dispatch('MESSAGE_DELETE_BULK'), await client.dispatch('MESSAGE_DELETE_BULK')]
    told.push(await client.dispatch('MESSAGE_DELETE_BULK'))
    const batches = told.map(({ d }) => d as { readonly ids: readonly string[]; readonly channel_id: string })
    for (const { ids } of batches) expect(ids.length).toBeLessThanOrEqual(100)
    const of = (id: string) => batches.filter(({ channel_id: at }) => at === id).flatMap(({ ids }) => ids)
    expect(of(home.channel).toSorted()).toStrictEqual(expect.arrayContaining(mine.toSorted()))
    expect(of(channel)).toStrictEqual([other])
  })

  it('leaves no audit entry', async () => {
    await sent(guildhall, brian, home.channel, 'mine')
    await guilds.clear(brian, home.id)
    const { audit_log_entries: entries } = bodyOf(
      await guildhall.request('GET', `/v1/guilds/${home.id}/audit-logs`, { token: ada.token }),
    )
    const types = (entries as readonly { readonly action_type: number }[]).map(({ action_type: type }) => type)
    for (const type of [72, 73]) expect(types).not.toContain(type)
  })

  it('is possible while the guild is unavailable, and without any messages', async () => {
    await setFeatures(guildhall, home.id, 'UNAVAILABLE_FOR_EVERYONE')
    for (let times = 0; times < 2; times += 1) expect((await guilds.clear(brian, home.id)).status).toBe(202)
  })

  it('is for bots too, which need no proof', async () => {
    const robot = await newApplication(guildhall, ada)
    await addBot(guildhall, robot, home)
    expect((await guilds.clear({ token: asBot(robot) }, home.id, {})).status).toBe(202)
  })
})

describe('a caller is refused', () => {
  it('without proof of sudo mode, before anything is said of the guild', async () => {
    for (const id of [home.id, nowhere]) expectRefusal(await guilds.clear(brian, id, {}), 403, 'SUDO_MODE_REQUIRED')
    expectFields(await guilds.clear(brian, home.id, { password: 'another one' }), field('password', 'INVALID_PASSWORD'))
    expectFields(await guilds.clear(brian, home.id, { mfa_method: 'sms' }), field('mfa_method', 'INVALID_FORMAT'))
  })

  it('as a non-member, or if there is no guild', async () => {
    expectRefusal(await guilds.clear(stranger, home.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await guilds.clear(stranger, nowhere), 404, 'UNKNOWN_GUILD')
    expectFields(await guilds.clear(brian, 'home'), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })
})
