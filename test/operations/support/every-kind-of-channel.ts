import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'
import { openDirect, openGroup } from '../conversations/private-channels/support.ts'
import { bodyOf, type TestGuild } from './answers.ts'
import { befriend } from './relationships.ts'
import { foundWith } from './scene.ts'
import { threadsOf } from './threads.ts'

/**
 * An account writes in each kind of channel: channels of its guild, threads, a forum, direct messages, groups and its notes, and in
 * places that it has closed, archived or left since. Gives the ids of the channels.
 */
export async function writeEverywhere(
  guildhall: TestGuildhall,
  author: TestAccount,
  { friend, home }: { readonly friend: TestAccount; readonly home: TestGuild },
): Promise<readonly string[]> {
  const threads = threadsOf(guildhall)
  const made = async (body: object): Promise<string> =>
    String(bodyOf(await threads.send(author, 'POST', `/v1/guilds/${home.id}/channels`, body))['id'])
  const forum = await made({ name: 'forum', type: 15 })
  const opening = { name: 'Post', message: { content: 'in a forum' } }
  const post = bodyOf(await threads.send(author, 'POST', `/v1/channels/${forum}/threads`, opening))
  const [second, left] = [await guildhall.register(), await foundWith(guildhall, friend, author)]
  for (const other of [friend, second]) await befriend(guildhall, author, other)
  const [closedDirect, leftGroup] = [
    await openDirect(guildhall, author, second),
    await openGroup(guildhall, author, friend, second),
  ]
  const archived = await threads.started(author, home.channel)
  const places = [
    home.channel,
    await made({ name: 'news', type: 5 }),
    await threads.started(author, home.channel),
    await threads.started(author, home.channel, { type: 12 }),
    archived,
    await openDirect(guildhall, author, friend),
    closedDirect,
    await openGroup(guildhall, author, friend),
    leftGroup,
    left.channel,
    author.id,
  ]
  for (const place of places) bodyOf(await threads.write(author, place, 'hers'))
  bodyOf(await threads.change(author, archived, { archived: true }))
  const gone = [`/v1/channels/${closedDirect}`, `/v1/channels/${leftGroup}`, `/v1/users/@me/guilds/${left.id}`]
  for (const path of gone) {
    const { status } = await guildhall.request('DELETE', path, { token: author.token })
    if (status >= 300) throw new Error(`DELETE ${path} was answered with ${status}`)
  }
  return [...places, String(post['id'])]
}
