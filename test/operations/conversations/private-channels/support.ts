import { expect } from 'vitest'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../../support/test-guildhall.ts'
import { bodyOf, crowd, listOf } from '../../support/answers.ts'
import { befriend } from '../../support/relationships.ts'

type Holder = Pick<TestAccount, 'token'>
type Id = Pick<TestAccount, 'id'>
type Members = Readonly<Record<string, unknown>>

export const ownChannels = '/v1/users/@me/channels'

/** The requests of an account about private channels. */
export function privateChannelsOn({ request }: Pick<TestGuildhall, 'request'>) {
  const recipientAt = (channel: string, { id }: Id): string => `/v1/channels/${channel}/recipients/${id}`
  return {
    list: ({ token }: Holder) => request('GET', ownChannels, { token }),
    create: ({ token }: Holder, body: unknown) => request('POST', ownChannels, { token, body }),
    read: ({ token }: Holder, channel: string) => request('GET', `/v1/channels/${channel}`, { token }),
    change: ({ token }: Holder, channel: string, body: unknown) =>
      request('PATCH', `/v1/channels/${channel}`, { token, body }),
    close: ({ token }: Holder, channel: string, query = '') =>
      request('DELETE', `/v1/channels/${channel}${query}`, { token }),
    add: ({ token }: Holder, channel: string, other: Id) => request('PUT', recipientAt(channel, other), { token }),
    remove: ({ token }: Holder, channel: string, other: Id, query = '') =>
      request('DELETE', `${recipientAt(channel, other)}${query}`, { token }),
    write: ({ token }: Holder, channel: string, content: string) =>
      request('POST', `/v1/channels/${channel}/messages`, { token, body: { content } }),
    messages: async ({ token }: Holder, channel: string): Promise<readonly Members[]> =>
      listOf(await request('GET', `/v1/channels/${channel}/messages`, { token })),
  }
}

/** Opens the direct messages of two accounts; returns the channel's id. */
export async function openDirect(guildhall: Pick<TestGuildhall, 'request'>, one: Holder, other: Id): Promise<string> {
  return String(bodyOf(await privateChannelsOn(guildhall).create(one, { recipient_id: other.id }))['id'])
}

/** Creates a group of friends; returns the channel's id. */
export async function openGroup(
  guildhall: Pick<TestGuildhall, 'request'>,
  owner: Holder,
  ...others: readonly Id[]
): Promise<string> {
  const recipients = others.map(({ id }) => id)
  return String(bodyOf(await privateChannelsOn(guildhall).create(owner, { recipients }))['id'])
}

/** The ids of an account's open private channels. */
export async function openChannelsOf(guildhall: TestGuildhall, holder: Holder): Promise<readonly unknown[]> {
  return listOf(await privateChannelsOn(guildhall).list(holder)).map(({ id }) => id)
}

/** The ids of an account's groups; friends have direct messages too. */
export async function groupsOf(guildhall: TestGuildhall, holder: Holder): Promise<readonly unknown[]> {
  const open = listOf(await privateChannelsOn(guildhall).list(holder))
  return open.filter(({ type }) => type === 3).map(({ id }) => id)
}

/** The ids of the recipients in a channel object, ascending. */
export function recipientsIn(answer: TestAnswer): readonly string[] {
  const recipients = bodyOf(answer)['recipients'] ?? []
  expect(Array.isArray(recipients)).toBe(true)
  return (recipients as readonly Id[]).map(({ id }) => id).toSorted()
}

/** An account, and friends of it. */
export async function circle(
  guildhall: TestGuildhall,
  friends: number,
): Promise<readonly [TestAccount, TestAccount, ...TestAccount[]]> {
  const [owner, first, ...others] = await crowd(guildhall, friends + 1)
  if (!owner || !first) throw new Error('nobody came')
  for (const other of [first, ...others]) await befriend(guildhall, owner, other)
  return [owner, first, ...others]
}

/** Three accounts, each a friend of the others. */
export async function threeFriends(
  guildhall: TestGuildhall,
): Promise<readonly [TestAccount, TestAccount, TestAccount]> {
  const [owner, one, other] = await circle(guildhall, 2)
  if (!other) throw new Error('nobody came')
  await befriend(guildhall, one, other)
  return [owner, one, other]
}

/** The messages in a channel, the newest first: authors, texts and mentioned accounts. */
export async function saidIn(guildhall: TestGuildhall, holder: Holder, channel: string) {
  const messages = await privateChannelsOn(guildhall).messages(holder, channel)
  return messages.map(({ type, author, mentions, content }) => ({
    type,
    author: (author as Id).id,
    mentions: (mentions as readonly Id[]).map(({ id }) => id),
    content,
  }))
}

export const idsOf = (...accounts: readonly Id[]): readonly string[] => accounts.map(({ id }) => id).toSorted()
