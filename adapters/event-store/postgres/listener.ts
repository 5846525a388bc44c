import type { Position } from '../../../application/ports/event-store.js'
import { listenTo, type ChannelSettings } from '../../postgres/listener.js'

const digits = /^[0-9]{1,19}$/

export interface AppendListenerSettings extends Pick<ChannelSettings, 'connection' | 'onError'> {
  /** Whether that connection is one of this process, which tells of its appends by itself. */
  readonly isOwn: (processId: number) => boolean
  readonly onPosition: (position: Position) => void
}

/** Hears of every batch that another process appends. What is lost on the way is found by the followers' poll. */
export function listenForAppends({ onPosition, isOwn, ...settings }: AppendListenerSettings) {
  return listenTo({
    ...settings,
    channel: 'event_store_events',
    onPayload: (payload, from) => {
      // It comes before the answer to the append, with which the events are at hand: whoever followed it would read them.
      if (digits.test(payload) && !isOwn(from)) onPosition(BigInt(payload))
    },
  })
}
