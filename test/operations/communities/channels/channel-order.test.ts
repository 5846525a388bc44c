import { afterEach, expect, it } from 'vitest'
import { noStream } from '../../../../domain/kernel/position.ts'
import { guildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { streamName } from '../../../../domain/streams.ts'
import { bodyOf, listOf } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { foundWith, openScene } from '../../support/scene.ts'

const { guildhall, ada, brian } = await openScene()
const { connect, end } = connections()
afterEach(end)

const turned_by = 7

it('Modify guild channel positions comes to one event, and to one list for each session, of the channels it can view', async () => {
  const home = await foundWith(guildhall, ada, brian)
  const path = `/v1/guilds/${home.id}/channels`
  const make = async (name: string, more = {}): Promise<string> =>
    String(bodyOf(await guildhall.request('POST', path, { token: ada.token, body: { type: 0, name, ...more } }))['id'])
  const made: string[] = []
  for (let count = 0; count < 12; count++) made.push(await make(`made-${count}`))
  const overwrites = [{ id: home.id, type: 0, allow: '0', deny: '1024' }]
  const hidden = await make('hidden', { permission_overwrites: overwrites })
  const clients = [(await connect(guildhall, ada)).client, (await connect(guildhall, brian)).client]

  const turned = [hidden, ...made.slice(turned_by), ...made.slice(0, turned_by)]
  const moves = turned.map((id, position) => ({ id, position }))
  expect((await guildhall.request('PATCH', path, { token: ada.token, body: moves })).status).toBe(204)
  const last = await make('last')

  const order = listOf(await guildhall.request('GET', path, { token: ada.token })).map(({ id }) => id)
  expect(order.slice(0, turned.length)).toStrictEqual(turned)
  const seen = [order, order.filter((id) => id !== hidden)].map((ids) => ids.filter((id) => id !== last))
  for (const [index, client] of clients.entries()) {
    await expect.poll(() => client.dispatches.some(({ t, d }) => t === 'CHANNEL_CREATE' && d['id'] === last)).toBe(true)
    const lists = client.dispatches.filter(({ t }) => t === 'CHANNEL_UPDATE_BULK').map(({ d }) => d['channels'])
    expect(lists.map((list) => (list as readonly { id: string }[]).map(({ id }) => id))).toStrictEqual([seen[index]])
  }
  const types: string[] = []
  const stream = streamName('guild', guildId(snowflake(home.id)))
  for await (const page of guildhall.store.events.readStream(stream, noStream))
    types.push(...page.map(({ type }) => type))
  expect(types.filter((type) => /Reordered|Moved/.test(type))).toStrictEqual(['ChannelsReordered'])
})
