import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { openGroup, openDirect } from '../../operations/conversations/private-channels/support.ts'
import { accept, found, invite } from '../../operations/support/answers.ts'
import { ownArchive } from '../../operations/support/archives.ts'
import { sent } from '../../operations/support/messages.ts'
import { stillImage } from '../../operations/support/pictures.ts'
import { befriend, relationsOn } from '../../operations/support/relationships.ts'
import { reportIn, reportsOn } from '../../operations/support/reports.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'

/** An account to which everything has happened that leaves something of its holder, and those whom it met. */
export interface FullLife {
  readonly ada: TestAccount
  readonly friend: TestAccount
  /** Stands in every text about the account, whoever wrote it. */
  readonly mark: string
  readonly earlierEmail: string
}

const answered = async (answer: ReturnType<TestGuildhall['request']>): Promise<void> =>
  expect((await answer).status).toBeLessThan(300)

/** Lives such a life: `root` administers the instance, `purchase` is the claim of what it bought in store B. */
export async function fullLife(guildhall: TestGuildhall, root: TestAccount, purchase: object): Promise<FullLife> {
  const mark = `canary${randomBytes(6).toString('hex')}`
  const [ada, friend] = [await guildhall.register(`ada_${mark.slice(-6)}`), await guildhall.register()]
  await profile(guildhall, ada, mark)
  await session(guildhall, ada, mark)
  await guilds(guildhall, { ada, friend, mark })
  await conversations(guildhall, { ada, friend, mark })
  await reports(guildhall, { ada, friend, mark, root })
  // Another's mail, which is kept.
  const { token } = friend
  await answered(guildhall.request('POST', '/v1/users/@me/email-change/start', { token }))
  await answered(
    guildhall.request('POST', '/v1/premium/store/google-play/purchases', { token: ada.token, body: purchase }),
  )
  await ownArchive(guildhall, ada)
  await administration(guildhall, { ada, mark, root })
  return { ada, friend, mark, earlierEmail: ada.email }
}

type Living = Pick<FullLife, 'ada' | 'friend' | 'mark'>

async function profile({ request }: TestGuildhall, { token, password }: TestAccount, mark: string): Promise<void> {
  const avatar = await stillImage(`#${mark.slice(-6)}`)
  const body = { bio: `I am "${mark}" & more`, pronouns: `${mark.slice(0, 20)}`, global_name: `Ada ${mark}`, avatar }
  await answered(request('PATCH', '/v1/users/@me', { token, body }))
  const custom_status = { text: `${mark} status` }
  await answered(request('PATCH', '/v1/users/@me/settings', { token, body: { custom_status } }))
  await answered(request('POST', '/v1/users/@me/email-change/start', { token, body: { password } }))
}

/** A sign-in from elsewhere. */
async function session({ ports }: TestGuildhall, { id }: TestAccount, mark: string): Promise<void> {
  const account = accountId(snowflake(id))
  const context = testContext({ kind: 'account', id: account })
  const tokenHash = randomBytes(32).toString('base64url')
  const start = { type: 'StartSession', tokenHash, ip: '203.0.113.77', userAgent: `${mark} agent` } as const
  await ports.aggregates.account.execute(account, { ...start, now: context.now }, context)
  await ports.readModels.reached(context.written)
}

async function guilds(guildhall: TestGuildhall, { ada, friend, mark }: Living): Promise<void> {
  const { request } = guildhall
  const own = await found(guildhall, ada)
  await accept(guildhall, friend, await invite(guildhall, ada, own.channel))
  const theirs = await found(guildhall, friend)
  await accept(guildhall, ada, await invite(guildhall, friend, theirs.channel))
  const member = `/v1/guilds/${theirs.id}/members/${ada.id}`
  const headers = { 'X-Audit-Log-Reason': `because of ${mark}` }
  const nick = { nick: `N ${mark}` }
  await answered(request('PATCH', member, { token: friend.token, headers, body: nick }))
  const until = new Date(Date.now() + 60_000).toISOString()
  const timeout = { communication_disabled_until: until, timeout_reason: `timed out for ${mark}` }
  await answered(request('PATCH', member, { token: friend.token, body: timeout }))
  await answered(request('PATCH', member, { token: friend.token, body: { communication_disabled_until: null } }))
  await sent(guildhall, ada, theirs.channel, `Hello from ${mark}`)
  const banned = await found(guildhall, friend)
  await accept(guildhall, ada, await invite(guildhall, friend, banned.channel))
  const ban = { reason: `banned for ${mark}` }
  await answered(request('PUT', `/v1/guilds/${banned.id}/bans/${ada.id}`, { token: friend.token, headers, body: ban }))
}

async function conversations(guildhall: TestGuildhall, { ada, friend, mark }: Living): Promise<void> {
  const { request } = guildhall
  await befriend(guildhall, ada, friend)
  await answered(relationsOn(guildhall).name(friend, ada, 'my friend'))
  await answered(relationsOn(guildhall).name(ada, friend, `Pal ${mark}`.slice(0, 32)))
  await sent(guildhall, ada, await openDirect(guildhall, ada, friend), `To you, from ${mark}`)
  const group = await openGroup(guildhall, ada, friend)
  await answered(request('PATCH', `/v1/channels/${group}`, { token: ada.token, body: { name: `Circle ${mark}` } }))
  await sent(guildhall, ada, ada.id, `A note to myself: ${mark}`)
}

async function reports(
  guildhall: TestGuildhall,
  { ada, friend, mark, root }: Living & { readonly root: TestAccount },
): Promise<void> {
  const { reportUser, reportMessage, resolve } = reportsOn(guildhall)
  const additional_info = `I, ${mark}, report`
  const filed = reportIn(await reportUser(ada, friend, { additional_info }))
  await answered(resolve(root, filed, { public_comment: `Dear ${mark}` }))
  const channel = await openDirect(guildhall, ada, friend)
  const message = await sent(guildhall, ada, channel, `Reported words of ${mark}`)
  reportIn(await reportMessage(friend, channel, message))
  reportIn(await reportUser(friend, ada))
}

async function administration(
  { request }: TestGuildhall,
  { ada, mark, root }: Pick<Living, 'ada' | 'mark'> & { readonly root: TestAccount },
): Promise<void> {
  const admin = (method: string, resource: string, body: object) =>
    answered(
      request(method, `/v1/admin/users/${ada.id}/${resource}`, {
        token: root.token,
        headers: { 'X-Audit-Log-Reason': `noted about ${mark}` },
        body,
      }),
    )
  await admin('PATCH', 'email', { email: `${mark}@second.example.org` })
  await admin('PATCH', 'date-of-birth', { date_of_birth: '1987-03-19' })
  await admin('PUT', 'ban', { duration_hours: 5, reason: `against ${mark}`, notify_user: true })
  await admin('DELETE', 'ban', { public_reason: `pardoned ${mark}`, notify_user: true })
}
