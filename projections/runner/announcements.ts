import type { PoolClient } from 'pg'
import { z } from 'zod'
import type { Position } from '../../domain/kernel/position.ts'
import type { Notifier } from '../../application/ports/notifier.ts'
import { subscribeBesideOlder } from '../../application/concurrency/older-processes.ts'

/** The topic on which processes tell each other the positions of their read models, and of swapped tables. */
export const topic = 'guildhall_read_models'

const swapped = 'swapped'
const positionText = z
  .string()
  .regex(/^-?[0-9]+$/)
  .transform(BigInt)

export interface Announcements {
  /** Tells the other processes a position. While one is on its way, only the newest of the following positions is sent. */
  announce(position: Position): void
  /** Hears no more. */
  close(): void
}

export interface AnnouncementSettings {
  readonly notifier: Notifier
  readonly onPosition: (position: Position) => void
  /** Called after a swap, and when announcements may have been missed. */
  readonly onChange: () => void
}

/** Hears what other processes announce until it is closed. Polling finds what is missed. */
export function openAnnouncements({ notifier, onPosition, onChange }: AnnouncementSettings): Announcements {
  const close = subscribeBesideOlder(notifier, topic, {
    onHearing: onChange,
    onText: (text) => {
      if (text === swapped) return onChange()
      const { data: position } = positionText.safeParse(text)
      if (position !== undefined) onPosition(position)
    },
  })
  return { announce: (position) => notifier.tell(topic, position.toString()), close }
}

/** Tells all processes, when the client's transaction commits, that the live tables were replaced. */
export async function announceSwap(client: Pick<PoolClient, 'query'>): Promise<void> {
  await client.query('select pg_notify($1, $2)', [topic, swapped])
}
