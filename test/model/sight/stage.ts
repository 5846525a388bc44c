import { accept, bodyOf, found, invite } from '../../operations/support/answers.ts'
import { placeOf, type Place } from '../../operations/support/members.ts'
import { threadsHeader } from '../../operations/support/threads.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { channels_count, members_count, roles_count } from './steps.ts'

/** A member of the guild who is not its owner. */
export interface Member {
  readonly account: TestAccount
  isMember: boolean
  readonly roles: Set<number>
}

/** A guild with channels and roles, its members, and another guild in which marks are sent. */
export interface Stage {
  readonly guildhall: TestGuildhall
  readonly home: Place
  readonly square: { readonly channel: string }
  readonly members: readonly Member[]
  readonly roles: readonly string[]
  readonly channels: readonly string[]
  /** The invite by which members come back. */
  readonly code: string
}

export async function openStage(guildhall: TestGuildhall, people: readonly TestAccount[]): Promise<Stage> {
  const [ada, ...others] = people
  if (!ada) throw new Error('nobody plays')
  const home = await placeOf(guildhall, ada)
  const square = await found(guildhall, ada, 'Square')
  const channels: string[] = []
  while (channels.length < channels_count)
    channels.push(String(bodyOf(await home.send(ada, 'POST', '/channels', { name: 'talk', type: 0 }))['id']))
  const roles: string[] = []
  while (roles.length < roles_count) roles.push(await home.role())
  const [code, way] = [await invite(guildhall, ada, home.channel), await invite(guildhall, ada, square.channel)]
  const members = others
    .slice(0, members_count)
    .map((account) => ({ account, isMember: true, roles: new Set<number>() }))
  for (const { account } of members) for (const each of [code, way]) bodyOf(await accept(guildhall, account, each))
  return { guildhall, home, square, members, roles, channels, code }
}

/** Sends a request as an account, or without one, from a client that understands threads. */
export function sendAs(
  { guildhall }: Pick<Stage, 'guildhall'>,
  account: Pick<TestAccount, 'token'> | undefined,
  method: string,
  path: string,
  body?: object,
): Promise<TestAnswer> {
  return guildhall.request(method, path, {
    ...(account && { token: account.token }),
    headers: threadsHeader,
    ...(body && { body }),
  })
}

export function picked<Item>(items: readonly Item[], number: number): Item | undefined {
  return items[number % items.length]
}
