import { z } from 'zod'
import type { Position } from '../../../domain/kernel/position.ts'
import type { Notifier } from '../../../application/ports/notifier.ts'
import { subscribeBesideOlder } from '../../../application/concurrency/older-processes.ts'

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

export interface AppendListenerSettings {
  readonly notifier: Notifier
  /** Whether that connection is one of this process, which tells of its appends by itself. */
  readonly isOwn: (processId: number) => boolean
  /** Where what another process appended is small enough, its events come before their position. */
  readonly onEvents: (told: ToldEvents) => void
  readonly onPosition: (position: Position) => void
  /** Called when appends of other processes may have been missed. */
  readonly onGap: () => void
}

/** Hears of every batch that another process appends. What is lost on the way is found by the followers' poll. Returns a function that ends this. */
export function listenForAppends({ notifier, onEvents, onPosition, isOwn, onGap }: AppendListenerSettings): () => void {
  return subscribeBesideOlder(notifier, appendsChannel, {
    onHearing: onGap,
    onText: (text, from) => {
      // A process already has the events of its own appends. It hears their position before the append is answered, so
      // following the position would read the events from the database for nothing.
      if (isOwn(from)) return
      if (digits.test(text)) onPosition(BigInt(text))
      else if (text.startsWith('{')) {
        const told = toldIn(text)
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
