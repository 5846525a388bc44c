import type { Position } from '../../../application/ports/event-store.js'
import { listenOn, type ListenerSettings } from '../../postgres/listener.js'

const digits = /^[0-9]{1,19}$/

/** Hears of every batch that any process appends. What is lost on the way is found by the followers' poll. */
export function listenForAppends({
  onPosition,
  ...settings
}: Pick<ListenerSettings, 'connection' | 'onError'> & { readonly onPosition: (position: Position) => void }) {
  return listenOn({
    ...settings,
    channel: 'event_store_events',
    onPayload: (payload) => {
      if (digits.test(payload)) onPosition(BigInt(payload))
    },
  })
}
