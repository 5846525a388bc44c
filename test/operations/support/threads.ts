import type { TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import type { PermissionName } from '../../../domain/permissions/permission-bits.ts'
import { bodyOf } from './answers.ts'
import { placeOf } from './members.ts'
import { mask } from './messages.ts'
import { openServer } from './scene.ts'

interface Client {
  readonly token: string
}

/** The header of a client that understands threads. */
export const threadsHeader = { 'x-service-features': 'channel_threads' }

/** Sends requests as a client that understands threads. */
export function threadsOf({ request }: TestGuildhall) {
  const send = (client: Client, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
    request(method, path, {
      token: client.token,
      headers: threadsHeader,
      ...(body === undefined ? {} : { body }),
    })
  const start = (client: Client, channel: string, wishes: object = {}) =>
    send(client, 'POST', `/v1/channels/${channel}/threads`, { name: 'Chatter', type: 11, ...wishes })
  return {
    send,
    start,
    /** Returns the id of a new thread. */
    started: async (client: Client, channel: string, wishes: object = {}): Promise<string> =>
      String(bodyOf(await start(client, channel, wishes))['id']),
    startFrom: (client: Client, channel: string, message: string, wishes: object = {}) =>
      send(client, 'POST', `/v1/channels/${channel}/messages/${message}/threads`, { name: 'Chatter', ...wishes }),
    write: (client: Client, channel: string, content = 'Hello') =>
      send(client, 'POST', `/v1/channels/${channel}/messages`, { content }),
    read: (client: Client, channel: string) => send(client, 'GET', `/v1/channels/${channel}/messages`),
    change: (client: Client, thread: string, changes: object) =>
      send(client, 'PATCH', `/v1/channels/${thread}`, changes),
    remove: (client: Client, thread: string) => send(client, 'DELETE', `/v1/channels/${thread}`),
    join: (client: Client, thread: string, who = '@me') =>
      send(client, 'PUT', `/v1/channels/${thread}/thread-members/${who}`),
    /** Denies everyone permissions in a channel, including thread permissions. */
    deny: (owner: Client, guild: string, channel: string, ...permissions: readonly PermissionName[]) =>
      send(owner, 'PUT', `/v1/channels/${channel}/permissions/${guild}`, { type: 0, deny: mask(...permissions) }),
    /** Gives a member a role with permissions, including thread permissions. */
    empower: async (owner: Client, guild: string, member: string, ...permissions: readonly PermissionName[]) => {
      const role = bodyOf(
        await send(owner, 'POST', `/v1/guilds/${guild}/roles`, { name: 'Crew', permissions: mask(...permissions) }),
      )
      await send(owner, 'PUT', `/v1/guilds/${guild}/members/${member}/roles/${String(role['id'])}`)
    },
    leave: (client: Client, thread: string, who = '@me') =>
      send(client, 'DELETE', `/v1/channels/${thread}/thread-members/${who}`),
  }
}

/** Ada's guild with Brian in it, on the server of the file, for clients that understand threads. */
export async function openThreads() {
  const guildhall = await openServer()
  const ada = await guildhall.register()
  const home = await placeOf(guildhall, ada)
  return { guildhall, ada, brian: await home.member(), home, threads: threadsOf(guildhall) }
}
