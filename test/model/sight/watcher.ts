import { Client, type Payload } from '../../gateway/support/client.ts'
import { identifyOf } from '../../gateway/support/facts.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'

/** A session of a member, whose connection can be lost and come back. */
export interface Watcher {
  readonly ready: Payload
  /** Whether it is connected. */
  readonly isThere: () => boolean
  lose(): void
  /** Comes back, and resumes. */
  resume(): Promise<void>
  /** Asks for the list of members of a channel of a guild. */
  look(guild: string, channel: string): void
  /** What it got since the last call, up to the dispatch that is waited for. */
  heardUntil(isEnd: (payload: Payload) => boolean, what: string): Promise<readonly Payload[]>
  end(): void
}

/** Understands threads, so that it is told of all that there is. */
export async function watch(url: string, { token }: TestAccount): Promise<Watcher> {
  const address = `${url.replace('http', 'ws')}/gateway?v=1`
  let client = new Client(address)
  let isThere = true
  await client.op(10)
  client.send(2, identifyOf({ token }, { flags: 4 }))
  const ready = await client.dispatch('READY')
  const { sessionId } = client
  let sequence = client.sequence
  return {
    ready,
    isThere: () => isThere,
    lose() {
      sequence = Math.max(sequence, client.sequence)
      client.socket.terminate()
      isThere = false
    },
    async resume() {
      client = new Client(address)
      isThere = true
      await client.op(10)
      client.send(6, { token, session_id: sessionId, seq: sequence })
    },
    look: (guild, channel) =>
      client.send(14, { subscriptions: { [guild]: { member_list_channels: { [channel]: [[0, 99]] } } } }),
    heardUntil: (isEnd, what) => client.until(isEnd, what),
    end: () => client.socket.terminate(),
  }
}
