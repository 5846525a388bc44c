import { afterAll, describe, expect, it } from 'vitest'
import { permissionBits } from '../../domain/permissions/permission-bits.ts'
import { Client } from '../gateway/support/client.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { connections } from '../operations/support/connected.ts'
import { placeOf, type Place } from '../operations/support/members.ts'
import { sent } from '../operations/support/messages.ts'
import { openServer } from '../operations/support/scene.ts'
import type { TestAccount } from '../support/test-guildhall.ts'

const guildhall = await openServer()
const { connect, end } = connections()
const clients: Client[] = []
afterAll(() => {
  end()
  for (const { socket } of clients) socket.terminate()
})

/** A channel that only the holders of a role can see, and one of them. */
interface Scene {
  readonly home: Place
  readonly holder: TestAccount
  readonly role: string
  readonly channel: string
  write(content: string): Promise<string>
  /** Writes, and resolves once the Gateway has dispatched it: no later event can overtake it then. */
  writeHeard(content: string): Promise<string>
}

async function openScene(): Promise<Scene> {
  const home = await placeOf(guildhall, await guildhall.register())
  const [holder, role] = [await home.member(), await home.role()]
  await home.give(holder, role)
  const view = permissionBits.VIEW_CHANNEL.toString()
  const permission_overwrites = [
    { id: home.id, type: 0, deny: view },
    { id: role, type: 0, allow: view },
  ]
  const body = { name: 'plans', type: 0, permission_overwrites }
  const channel = String(bodyOf(await home.send(home.owner, 'POST', '/channels', body))['id'])
  const { client: observer } = await connect(guildhall, home.owner)
  const write = (content: string) => sent(guildhall, home.owner, channel, content)
  const writeHeard = async (content: string) => {
    const message = await write(content)
    await observer.until(({ d }) => d['id'] === message, content)
    return message
  }
  return { home, holder, role, channel, write, writeHeard }
}

const losses: readonly (readonly [string, (scene: Scene) => Promise<unknown>])[] = [
  [
    'whose role was taken',
    async ({ home, holder, role }) => home.send(home.owner, 'DELETE', `/members/${holder.id}/roles/${role}`),
  ],
  ['whose role was deleted', async ({ home, role }) => home.send(home.owner, 'DELETE', `/roles/${role}`)],
  [
    'whose role was denied the channel',
    ({ home, role, channel }) =>
      guildhall.request('PUT', `/v1/channels/${channel}/permissions/${role}`, {
        token: home.owner.token,
        body: { type: 0, deny: permissionBits.VIEW_CHANNEL.toString() },
      }),
  ],
  ['who was kicked', async ({ home, holder }) => home.send(home.owner, 'DELETE', `/members/${holder.id}`)],
]

/** What a client heard of the channel, up to a later change of its account. */
async function toldOf({ channel }: Scene, client: Client, account: TestAccount): Promise<readonly string[]> {
  const bio = `mark ${Math.random()}`
  bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token: account.token, body: { bio } }))
  const payloads = await client.until(({ t, d }) => t === 'USER_UPDATE' && d['bio'] === bio, 'the mark')
  return payloads
    .filter(({ d }) => d['channel_id'] === channel || d['id'] === channel)
    .map(({ t, d }) => (typeof d['content'] === 'string' ? `${t} ${d['content']}` : String(t)))
}

describe.each(losses)('a member %s', (_, lose) => {
  it('while connected hears what was written before, and nothing that is written after', async () => {
    const scene = await openScene()
    const { client } = await connect(guildhall, scene.holder)
    await scene.writeHeard('before')
    await lose(scene)
    await scene.write('after')
    const told = await toldOf(scene, client, scene.holder)
    expect(told).toContain('MESSAGE_CREATE before')
    expect(told.join(' ')).not.toContain('after')
  })

  it('while away gets what was written before, and nothing that was written after', async () => {
    const scene = await openScene()
    const { client } = await connect(guildhall, scene.holder)
    client.socket.terminate()
    await scene.writeHeard('before')
    await lose(scene)
    await scene.write('after')
    const back = await resumed(scene.holder, client)
    const told = await toldOf(scene, back, scene.holder)
    expect(told).toContain('MESSAGE_CREATE before')
    expect(told.join(' ')).not.toContain('after')
    expect(JSON.stringify(back.payloads)).not.toContain('after')
  })
})

describe('a member whose role was removed and given back while away', () => {
  it('gets, in order, what it could read when it was written, and not what came between', async () => {
    const scene = await openScene()
    const { home, holder, role } = scene
    const { client } = await connect(guildhall, holder)
    client.socket.terminate()
    await scene.writeHeard('before')
    await home.send(home.owner, 'DELETE', `/members/${holder.id}/roles/${role}`)
    const hidden = await scene.write('between')
    await guildhall.request('DELETE', `/v1/channels/${scene.channel}/messages/${hidden}`, { token: home.owner.token })
    await home.give(holder, role)
    await scene.write('after')
    const back = await resumed(holder, client)
    expect(await toldOf(scene, back, holder)).toStrictEqual([
      'MESSAGE_CREATE before',
      'CHANNEL_DELETE',
      'CHANNEL_CREATE',
      'MESSAGE_CREATE after',
    ])
    expect(JSON.stringify(back.payloads)).not.toContain(hidden)
  })
})

/** Resumes for everything that a client missed after its READY. */
async function resumed(account: TestAccount, { sessionId, sequence: seq }: Client): Promise<Client> {
  const client = new Client(`${guildhall.url.replace('http', 'ws')}/gateway?v=1`)
  clients.push(client)
  await client.op(10)
  client.send(6, { token: account.token, session_id: sessionId, seq })
  return client
}
