import { openDirect, openGroup } from '../operations/conversations/private-channels/support.ts'
import { bodyOf, type TestGuild } from '../operations/support/answers.ts'
import { threadsHeader } from '../operations/support/threads.ts'
import type { TestAnswer, TestGuildhall } from '../support/test-guildhall.ts'

type Request = TestGuildhall['request']

export interface Person {
  readonly id: string
  readonly token: string
  readonly password: string
}

/** The people who act on a guild: the owner deletes, the others create. They are friends. */
export interface Cast {
  readonly owner: Person
  /** In the guild from the start. */
  readonly member: Person
  /** Also in the guild from the start; has joined no thread. */
  readonly guest: Person
}

/** A guild with something below everything that can be deleted, and a group of the three. */
export interface Ground {
  readonly guild: string
  readonly channel: string
  /** A message of the channel, from which no thread was started. */
  readonly message: string
  /** A public and a private thread of the channel. The owner has joined both, and the member the private one. */
  readonly thread: string
  readonly secret: string
  readonly role: string
  readonly invite: string
  readonly group: string
  /** The direct messages of the owner and the member, open for both. */
  readonly direct: string
}

/** Sends requests as clients that understand threads. */
export function sendingOn(request: Request) {
  return ({ token }: Pick<Person, 'token'>, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
    request(method, `/v1${path}`, { token, headers: threadsHeader, ...(body === undefined ? {} : { body }) })
}

/** A guild of all three, without an invite. */
export async function foundGuild(request: Request, { owner, member, guest }: Cast): Promise<TestGuild> {
  const send = sendingOn(request)
  const guild = bodyOf(await send(owner, 'POST', '/guilds', { name: 'Ground' }))
  const channel = String(guild['system_channel_id'])
  const code = String(bodyOf(await send(owner, 'POST', `/channels/${channel}/invites`, {}))['code'])
  await Promise.all([member, guest].map(async (person) => bodyOf(await send(person, 'POST', `/invites/${code}`))))
  bodyOf(await send(owner, 'DELETE', `/invites/${code}`))
  return { id: String(guild['id']), channel }
}

/** Prepares a guild, once everybody who must hear of it has a session. */
export async function layGround(request: Request, cast: Cast, { id: guild }: TestGuild): Promise<Ground> {
  const { owner, member } = cast
  const send = sendingOn(request)
  const made = async (answer: Promise<TestAnswer>, name = 'id'): Promise<string> => String(bodyOf(await answer)[name])
  const channel = await made(send(owner, 'POST', `/guilds/${guild}/channels`, { name: 'talk', type: 0 }))
  const [message, thread, secret, role, invite, group, direct] = await Promise.all([
    made(send(member, 'POST', `/channels/${channel}/messages`, { content: 'A thought' })),
    made(send(owner, 'POST', `/channels/${channel}/threads`, { name: 'Open', type: 11 })),
    made(send(owner, 'POST', `/channels/${channel}/threads`, { name: 'Secret', type: 12 })),
    made(send(owner, 'POST', `/guilds/${guild}/roles`, { name: 'Crew' })),
    made(send(owner, 'POST', `/channels/${channel}/invites`, { unique: true }), 'code'),
    openGroup({ request }, owner, cast.member, cast.guest),
    openDirect({ request }, owner, cast.member),
  ])
  bodyOf(await send(owner, 'PUT', `/channels/${secret}/thread-members/${member.id}`))
  return { guild, channel, message, thread, secret, role, invite, group, direct }
}
