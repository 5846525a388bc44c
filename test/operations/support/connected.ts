import { Client } from '../../gateway/support/client.ts'
import { identifyOf } from '../../gateway/support/facts.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'

export interface Connected {
  readonly client: Client
  /** `d` of READY. */
  readonly ready: Readonly<Record<string, unknown>>
}

/** Returns a function that connects to the Gateway of a server; `end` ends all its connections. */
export function connections(): {
  readonly connect: (
    guildhall: TestGuildhall,
    account: { readonly token: string },
    /** Further members of Identify. */
    more?: object,
  ) => Promise<Connected>
  readonly end: () => void
} {
  const clients: Client[] = []
  return {
    async connect({ url }, { token }, more = {}) {
      const client = new Client(`${url.replace('http', 'ws')}/gateway?v=1`)
      clients.push(client)
      await client.op(10)
      client.send(2, identifyOf({ token }, more))
      return { client, ready: (await client.dispatch('READY')).d }
    },
    end() {
      for (const { socket } of clients.splice(0)) socket.terminate()
    },
  }
}
