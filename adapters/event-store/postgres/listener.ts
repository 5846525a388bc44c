import type { Position } from '../../../application/ports/event-store.js'
import { listenOn, type ListenerSettings } from '../../postgres/listener.js'

const digits = /^[0-9]{1,19}$/

export interface AppendListenerSettings extends Pick<ListenerSettings, 'connection' | 'onError'> {
  /** Whether that connection belongs to this process, which announces its own appends itself. */
  readonly isOwn: (processId: number) => boolean
  readonly onPosition: (position: Position) => void
}

/** Listens for batches that other processes append. Followers find lost notifications by polling. */
export function listenForAppends({ onPosition, isOwn, ...settings }: AppendListenerSettings) {
  return listenOn({
    ...settings,
    channel: 'event_store_events',
    onPayload: (payload, from) => {
      // The notification arrives before the answer to the append, which puts the events in memory. A follower that reacted to
      // it would read them from the database.
      if (digits.test(payload) && !isOwn(from)) onPosition(BigInt(payload))
    },
  })
}
