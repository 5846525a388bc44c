import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { messagesPath } from './messages.ts'

type Holder = Pick<TestAccount, 'token'>
type Members = Readonly<Record<string, unknown>>

/** The requests of an account about what it has read. */
export function readStatesOn({ request }: Pick<TestGuildhall, 'request'>) {
  return {
    ack: ({ token }: Holder, channel: string, message: string, body: object = {}): Promise<TestAnswer> =>
      request('POST', `${messagesPath(channel, message)}/ack`, { token, body }),
    clear: ({ token }: Holder, channel: string) => request('DELETE', messagesPath(channel, 'ack'), { token }),
    ackAll: ({ token }: Holder, states: readonly object[]) =>
      request('POST', '/v1/read-states/ack', { token, body: { read_states: states } }),
    ackBulk: ({ token }: Holder, states: readonly object[]) =>
      request('POST', '/v1/read-states/ack-bulk', { token, body: { read_states: states } }),
    ackPins: ({ token }: Holder, channel: string) => request('POST', `/v1/channels/${channel}/pins/ack`, { token }),
  }
}

/** The read states in a READY, by channel. */
export function readStatesIn({ read_states: states }: Members): Readonly<Record<string, Members>> {
  return Object.fromEntries((states as readonly Members[]).map((state) => [String(state['id']), state]))
}
