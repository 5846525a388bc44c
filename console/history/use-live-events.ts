import { useEffect, useRef, useState } from 'react'
import { call } from '../api/call.ts'
import { follow } from '../api/follow.ts'
import type { HistoryEvent } from './events-data.ts'

/** How many events are kept: the newest. */
export const rows_max = 200
/** How often what has come is shown, however much it is. */
const shown_ms = 250

/**
 * Follows the events that match from now on, and after a pause, a lost connection or a failure from the last one that was seen.
 * `isFollowing` says that it is known where it begins. `since` and `until` are no part of what is followed. Another `attempt` follows again after a failure.
 */
export function useLiveEvents(
  filter: Readonly<Record<string, unknown>>,
  isPaused: boolean,
  attempt: number,
): { readonly events: readonly HistoryEvent[]; readonly error: unknown; readonly isFollowing: boolean } {
  const [events, setEvents] = useState<readonly HistoryEvent[]>([])
  const [error, setError] = useState<unknown>()
  const [isFollowing, setFollowing] = useState(false)
  const position = useRef<string>(undefined)
  const asked = useRef(filter)
  useEffect(() => {
    if (isPaused) return undefined
    const ended = new AbortController()
    let waiting: HistoryEvent[] = []
    const timer = setInterval(() => {
      if (waiting.length === 0) return
      const come = waiting.toReversed()
      waiting = []
      setEvents((before) => [...come, ...before].slice(0, rows_max))
    }, shown_ms)
    const read = async (): Promise<void> => {
      setError(undefined)
      position.current ??= (await call('searchHistoryEvents', { query: { limit: 1 } }))[0]?.position ?? '0'
      setFollowing(true)
      const { since: _, until: __, ...query } = asked.current
      const input = { query: { ...query, after: position.current } }
      for await (const { id, item } of follow<HistoryEvent>('followHistoryEvents', input, ended.signal)) {
        position.current = id
        waiting = [...waiting, item].slice(-rows_max)
      }
    }
    read().catch((failure: unknown) => {
      if (!ended.signal.aborted) setError(failure)
    })
    return () => {
      ended.abort()
      setFollowing(false)
      clearInterval(timer)
      // What had come is shown, since following goes on after it.
      setEvents((before) => [...waiting.toReversed(), ...before].slice(0, rows_max))
    }
  }, [isPaused, attempt])
  return { events, error, isFollowing }
}
