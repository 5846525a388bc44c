import { vi } from 'vitest'
import { Gateway, type GatewaySettings, type Interruption } from '../../../client/gateway.ts'
import type { Dispatch } from '../../../client/protocol.ts'
import { patience_ms } from '../../support/pace.ts'

/** A Gateway of the client that is read until it ends, and what it gave so far. */
export interface Reading {
  readonly gateway: Gateway
  readonly dispatches: Dispatch[]
  readonly interruptions: Interruption[]
  /** Resolves with what the reading rejected with, or with undefined. */
  readonly ended: Promise<unknown>
  /** Waits until so many dispatches of a name have come; gives the last of them. */
  hears<Name extends Dispatch['t']>(name: Name, count?: number): Promise<Extract<Dispatch, { t: Name }>>
}

export function reading(settings: GatewaySettings): Reading {
  const interruptions: Interruption[] = []
  const gateway = new Gateway({ ...settings, onInterruption: (interruption) => interruptions.push(interruption) })
  const dispatches: Dispatch[] = []
  const read = async (): Promise<void> => {
    for await (const dispatch of gateway) dispatches.push(dispatch)
  }
  const ended = read().catch((error: unknown) => error)
  return {
    gateway,
    dispatches,
    interruptions,
    ended,
    hears: (name, count = 1) =>
      vi.waitFor(
        () => {
          const found = dispatches.filter((one): one is Extract<Dispatch, { t: typeof name }> => one.t === name)
          const last = found[count - 1]
          if (!last)
            throw new Error(`${found.length} of ${count} ${name} among ${dispatches.map(({ t }) => t).join(', ')}`)
          return last
        },
        { timeout: patience_ms, interval: 5 },
      ),
  }
}
