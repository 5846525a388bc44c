import { afterEach, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import type { Client, Payload } from '../../../gateway/support/client.ts'
import { bodyOf, crowd } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { befriend } from '../../support/relationships.ts'
import { openDirect, openGroup, privateChannelsOn } from './support.ts'
import { openServer } from '../../support/scene.ts'

const { connect, end } = connections()

const guildhall = await openServer()
const on = privateChannelsOn(guildhall)
afterEach(end)

/** Three accounts who are all friends. */
async function friends(): Promise<readonly [TestAccount, TestAccount, TestAccount]> {
  const [ada, brian, carol] = await crowd(guildhall, 3)
  if (!ada || !brian || !carol) throw new Error('nobody came')
  for (const [one, other] of [
    [ada, brian],
    [ada, carol],
    [brian, carol],
  ] as const)
    await befriend(guildhall, one, other)
  return [ada, brian, carol]
}
const clientOf = async (account: TestAccount): Promise<Client> => (await connect(guildhall, account)).client

/** Everything that an account hears about a channel, in order, up to a new message in its notes. */
async function heardBy(client: Client, account: TestAccount, channel: string): Promise<readonly Payload[]> {
  const { id } = bodyOf(await on.write(account, account.id, 'mark'))
  const heard = await client.until(({ t, d }) => t === 'MESSAGE_CREATE' && d['id'] === id, 'mark')
  return heard.filter(({ d }) => d['id'] === channel || d['channel_id'] === channel)
}
/** The messages in a channel are told when it resolves, and not to sessions that begin then. */
async function told(account: TestAccount, channel: string): Promise<void> {
  await heardBy(await clientOf(account), account, channel)
}
async function toldGroup(owner: TestAccount, ...others: readonly TestAccount[]): Promise<string> {
  const channel = await openGroup(guildhall, owner, ...others)
  await told(owner, channel)
  return channel
}
const names = (payloads: readonly Payload[]) => payloads.map(({ t }) => t)
const idsIn = (recipients: unknown) => (recipients as readonly { readonly id: string }[]).map(({ id }) => id).toSorted()

describe('READY', () => {
  it('has the open private channels, without oneself, and their users once', async () => {
    const [ada, brian, carol] = await friends()
    const direct = await openDirect(guildhall, ada, brian)
    const group = await openGroup(guildhall, ada, brian, carol)
    await on.close(ada, await openDirect(guildhall, ada, carol))
    const sent = bodyOf(await on.write(brian, direct, 'Hello'))
    const { ready } = await connect(guildhall, ada)
    const channels = ready['private_channels'] as readonly Readonly<Record<string, unknown>>[]
    expect(channels.map(({ id }) => id)).toStrictEqual([group, direct])
    expect(channels[0]).toMatchObject({ type: 3, owner_id: ada.id, icon: null })
    expect(idsIn(channels[0]?.['recipients'])).toStrictEqual([brian.id, carol.id].toSorted())
    expect(channels[1]).toMatchObject({ type: 1, recipients: [{ id: brian.id }], last_message_id: sent['id'] })
    expect(idsIn(ready['users'])).toStrictEqual([brian.id, carol.id].toSorted())
  })
})

describe('a direct message', () => {
  it('is sent only to the account that opens or closes it', async () => {
    const [ada, brian] = await friends()
    const channel = await openDirect(guildhall, ada, brian)
    const [one, other] = [await clientOf(ada), await clientOf(brian)]
    await on.close(ada, channel)
    await openDirect(guildhall, ada, brian)
    const heard = await heardBy(one, ada, channel)
    expect(names(heard)).toStrictEqual(['CHANNEL_DELETE', 'CHANNEL_CREATE'])
    for (const { d } of heard) {
      expect(d).toMatchObject({ id: channel, type: 1, recipients: [{ id: brian.id }] })
      expect(d['recipients']).toHaveLength(1)
    }
    expect(await heardBy(other, brian, channel)).toStrictEqual([])
  })

  it('is shown to an account that has closed it, before a message in it', async () => {
    const [ada, brian] = await friends()
    const channel = await openDirect(guildhall, ada, brian)
    await on.close(ada, channel)
    await on.close(brian, channel)
    const [one, other] = [await clientOf(ada), await clientOf(brian)]
    bodyOf(await on.write(ada, channel, 'Hello'))
    bodyOf(await on.write(brian, channel, 'Hello yourself'))
    expect(names(await heardBy(one, ada, channel))).toStrictEqual([
      'CHANNEL_CREATE',
      'MESSAGE_CREATE',
      'MESSAGE_CREATE',
    ])
    const [created, message] = await heardBy(other, brian, channel)
    expect(created).toMatchObject({ t: 'CHANNEL_CREATE', d: { recipients: [{ id: ada.id }] } })
    expect(message).toMatchObject({
      t: 'MESSAGE_CREATE',
      d: { content: 'Hello', channel_type: 1, author: { id: ada.id } },
    })
    expect(message?.d).not.toHaveProperty('guild_id')
  })
})

describe('a group', () => {
  it('is announced to everybody in it, with a message for each', async () => {
    const [ada, brian, carol] = await friends()
    const [one, other] = [await clientOf(ada), await clientOf(brian)]
    const channel = await openGroup(guildhall, ada, brian, carol)
    for (const [client, account, recipients] of [
      [one, ada, [brian.id, carol.id]],
      [other, brian, [ada.id, carol.id]],
    ] as const) {
      const heard = await heardBy(client, account, channel)
      expect(names(heard)).toStrictEqual(['CHANNEL_CREATE', 'MESSAGE_CREATE', 'MESSAGE_CREATE'])
      expect(heard[0]?.d).toMatchObject({ id: channel, type: 3, owner_id: ada.id })
      expect(idsIn(heard[0]?.d['recipients'])).toStrictEqual(recipients.toSorted())
      expect(heard[1]?.d).toMatchObject({ type: 1, channel_type: 3, author: { id: ada.id } })
    }
  })

  it('is a new channel for an added account, and gets a recipient for the others', async () => {
    const [ada, brian, carol] = await friends()
    const channel = await toldGroup(ada, brian)
    const [one, other, added] = [await clientOf(ada), await clientOf(brian), await clientOf(carol)]
    expect((await on.add(brian, channel, carol)).status).toBe(204)
    for (const [client, account] of [
      [one, ada],
      [other, brian],
    ] as const) {
      const heard = await heardBy(client, account, channel)
      expect(names(heard)).toStrictEqual(['CHANNEL_RECIPIENT_ADD', 'MESSAGE_CREATE'])
      expect(heard[0]?.d).toStrictEqual({ channel_id: channel, user: expect.objectContaining({ id: carol.id }) })
      expect(heard[1]?.d).toMatchObject({ type: 1, author: { id: brian.id }, mentions: [{ id: carol.id }] })
    }
    const heard = await heardBy(added, carol, channel)
    expect(names(heard)).toStrictEqual(['CHANNEL_CREATE', 'MESSAGE_CREATE'])
    expect(idsIn(heard[0]?.d['recipients'])).toStrictEqual([ada.id, brian.id].toSorted())
  })

  it('disappears for a removed account, and loses a recipient for the others', async () => {
    const [ada, brian, carol] = await friends()
    const channel = await toldGroup(ada, brian, carol)
    bodyOf(await on.change(ada, channel, { name: 'Engine room' }))
    await told(ada, channel)
    const [one, removed] = [await clientOf(ada), await clientOf(carol)]
    expect((await on.remove(ada, channel, carol)).status).toBe(204)
    const heard = await heardBy(one, ada, channel)
    expect(names(heard)).toStrictEqual(['CHANNEL_RECIPIENT_REMOVE', 'MESSAGE_CREATE'])
    expect(heard[0]?.d).toStrictEqual({ channel_id: channel, user: expect.objectContaining({ id: carol.id }) })
    const lost = await heardBy(removed, carol, channel)
    expect(names(lost)).toStrictEqual(['CHANNEL_DELETE'])
    expect(lost[0]?.d).toMatchObject({ id: channel, type: 3, name: 'Engine room', owner_id: ada.id })
  })

  it('gets another owner once its owner leaves, and the last one who leaves still hears of it', async () => {
    const [ada, brian] = await friends()
    const channel = await toldGroup(ada, brian)
    const [one, other] = [await clientOf(ada), await clientOf(brian)]
    expect((await on.close(ada, channel, '?silent=true')).status).toBe(204)
    const heard = await heardBy(other, brian, channel)
    expect(names(heard)).toStrictEqual(['CHANNEL_RECIPIENT_REMOVE', 'CHANNEL_UPDATE'])
    expect(heard[1]?.d).toMatchObject({ id: channel, owner_id: brian.id })
    expect(heard[1]?.d).not.toHaveProperty('recipients')
    const [lost] = await heardBy(one, ada, channel)
    expect(lost).toMatchObject({ t: 'CHANNEL_DELETE', d: { id: channel, owner_id: ada.id } })
    expect((await on.close(brian, channel)).status).toBe(204)
    expect(names(await heardBy(other, brian, channel))).toStrictEqual(['CHANNEL_DELETE'])
  })

  it('is sent as it is after a change, with a message if its name changed', async () => {
    const [ada, brian] = await friends()
    const channel = await toldGroup(ada, brian)
    const other = await clientOf(brian)
    bodyOf(await on.change(ada, channel, { name: 'Engine room', nicks: { [brian.id]: 'Chief' } }))
    const heard = await heardBy(other, brian, channel)
    expect(names(heard)).toStrictEqual(['CHANNEL_UPDATE', 'CHANNEL_UPDATE', 'MESSAGE_CREATE'])
    expect(heard[1]?.d).toMatchObject({ id: channel, name: 'Engine room', nicks: { [brian.id]: 'Chief' } })
    expect(heard[2]?.d).toMatchObject({ type: 4, content: 'Engine room', author: { id: ada.id } })
  })

  it('is not announced to anybody else', async () => {
    const [ada, brian, carol] = await friends()
    const stranger = await clientOf(carol)
    const channel = await openGroup(guildhall, ada, brian)
    bodyOf(await on.write(ada, channel, 'Secret'))
    bodyOf(await on.change(ada, channel, { name: 'Secrets' }))
    expect(await heardBy(stranger, carol, channel)).toStrictEqual([])
  })
})
