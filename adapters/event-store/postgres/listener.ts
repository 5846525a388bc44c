import { z } from 'zod'
import type { Position } from '../../../application/ports/event-store.js'
import { isOlderQuestion } from '../../../application/ports/older-processes.js'
import { listenTo, type ChannelSettings } from '../../postgres/listener.js'

/** The channel on which processes tell each other of appends. */
export const appendsChannel = 'event_store_events'

const digits = /^[0-9]{1,19}$/

const position = z.string().regex(digits).transform(BigInt)

/** The codec judges data and metadata. */
const toldEvents = z.object({
  after: z
    .string()
    .regex(/^-?[0-9]{1,19}$/)
    .transform(BigInt),
  events: z.array(
    z.object({
      stream: z.string(),
      revision: z.int(),
      position,
      eventId: z.string(),
      type: z.string(),
      data: z.unknown(),
      metadata: z.unknown(),
    }),
  ),
})

/** All events of the store after a position, up to the last of these. */
export type ToldEvents = z.infer<typeof toldEvents>

export interface AppendListenerSettings extends Pick<ChannelSettings, 'connection' | 'onError'> {
  /** Whether that connection is one of this process, which tells of its appends by itself. */
  readonly isOwn: (processId: number) => boolean
  /** Where what another process appended is small enough, its events come before their position. */
  readonly onEvents: (told: ToldEvents) => void
  readonly onPosition: (position: Position) => void
  /** Called when this process has begun to listen, and when one of the version before asks who does. */
  readonly onHeard: () => void
}

/** Hears of every batch that another process appends. What is lost on the way is found by the followers' poll. */
export function listenForAppends({ onEvents, onPosition, isOwn, onHeard, ...settings }: AppendListenerSettings) {
  return listenTo({
    ...settings,
    channel: appendsChannel,
    onListening: onHeard,
    onPayload: (payload, from) => {
      // A position comes before the answer to the append, with which the events are at hand: whoever followed it would read them.
      if (isOwn(from)) return
      if (isOlderQuestion(payload)) onHeard()
      else if (digits.test(payload)) onPosition(BigInt(payload))
      else if (payload.startsWith('{')) {
        const told = toldIn(payload)
        if (told) onEvents(told)
      }
    },
  })
}

/** Undefined for what this version does not understand: then the position is enough. */
function toldIn(payload: string): ToldEvents | undefined {
  try {
    return toldEvents.safeParse(JSON.parse(payload)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
