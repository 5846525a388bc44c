import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { accountFlags, type AccountFlag } from '../../../domain/account/flags.ts'
import { streamName } from '../../../domain/streams.ts'
import { metadataOf } from '../../../application/commands/command-context.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf, listOf } from './answers.ts'

type Holder = Pick<TestAccount, 'token'>
type Id = Pick<TestAccount, 'id'>

const path = '/v1/users/@me/relationships'

/** The requests of an account about its relationships. */
export function relationsOn({ request }: Pick<TestGuildhall, 'request'>) {
  const at = ({ id }: Id): string => `${path}/${id}`
  return {
    list: ({ token }: Holder) => request('GET', path, { token }),
    ask: ({ token }: Holder, other: Id) => request('POST', at(other), { token }),
    askByTag: ({ token }: Holder, body: unknown) => request('POST', path, { token, body }),
    accept: ({ token }: Holder, other: Id) => request('PUT', at(other), { token }),
    block: ({ token }: Holder, other: Id) => request('PUT', at(other), { token, body: { type: 2 } }),
    name: ({ token }: Holder, other: Id, nickname: unknown) =>
      request('PATCH', at(other), { token, body: { nickname } }),
    ignore: ({ token }: Holder, body: object = {}) => request('POST', `${path}/bulk-ignore`, { token, body }),
    remove: ({ token }: Holder, other: Id) => request('DELETE', at(other), { token }),
  }
}

/** The relationships of an account: the type by the other's id. */
export async function typesOf(guildhall: TestGuildhall, holder: Holder): Promise<Readonly<Record<string, unknown>>> {
  const all = listOf(await relationsOn(guildhall).list(holder))
  return Object.fromEntries(all.map(({ id, type }) => [id, type]))
}

/** Makes two accounts friends. */
export async function befriend(guildhall: TestGuildhall, one: TestAccount, other: TestAccount): Promise<void> {
  const { ask, accept } = relationsOn(guildhall)
  bodyOf(await ask(one, other))
  bodyOf(await accept(other, one))
}

/** Gives an account flags that no operation of this build can. */
export async function setFlags(
  { ports, store }: TestGuildhall,
  { id }: Id,
  ...flags: readonly AccountFlag[]
): Promise<void> {
  const account = accountId(snowflake(id))
  const stream = streamName('account', account)
  const { revision } = await ports.aggregates.account.load(account)
  const mask = flags.reduce((bits, flag) => bits | accountFlags[flag], 0n).toString()
  const event = { type: 'FlagsChanged', data: { accountId: account, flags: mask } }
  const context = testContext()
  const metadata = metadataOf(context, stream, 'SetFlags', 0)
  const appended = await store.events.append(stream, revision, [{ ...event, metadata }])
  if (appended.outcome !== 'appended') throw new Error('Somebody was faster')
  await ports.readModels.reached(appended.position)
}

/** The tag of an account. */
export async function tagOf({ request }: TestGuildhall, { token }: Holder): Promise<TestTag> {
  const { username, discriminator } = bodyOf(await request('GET', '/v1/users/@me', { token }))
  return { username: String(username), discriminator: String(discriminator) }
}

export interface TestTag {
  readonly username: string
  readonly discriminator: string
}

/** An account that nobody can sign in to. */
export async function unclaimed({ request }: TestGuildhall): Promise<Pick<TestAccount, 'token' | 'id'>> {
  const body = { consent: true, date_of_birth: '1990-12-10' }
  const { token, user_id: id } = bodyOf(await request('POST', '/v1/auth/register', { body }))
  return { token: String(token), id: String(id) }
}
